export { createRealm, type GuestErrorName, type Realm } from "./realm/realm.ts";
