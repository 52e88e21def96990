// The slots of proxies: see operations/proxy.ts.

import { type FunctionCode, FunctionSlots } from "../function-object.ts";
import { type GuestObject, type Slots, slotsOf } from "../guest-value.ts";

/** The target and handler of a proxy. Both are null after the proxy was revoked. */
export interface ProxyState {
  target: GuestObject | null;
  handler: GuestObject | null;
  /** The length of the chain of proxies that ends with this one: 1 if the target is not a proxy. */
  readonly chainLength: number;
}

/** The slots of a proxy whose target is not a function. */
export class ProxySlots implements Slots {
  readonly type = "proxy";
  readonly state: ProxyState;

  constructor(state: ProxyState) {
    this.state = state;
  }

  get held(): readonly unknown[] {
    return [this.state.target, this.state.handler];
  }
}

/** The slots of a proxy whose target is a function. */
export class CallableProxySlots extends FunctionSlots {
  readonly state: ProxyState;

  constructor(code: FunctionCode, self: GuestObject, state: ProxyState) {
    super(code, null, self);
    this.state = state;
    this.settled = true;
  }

  override get held(): readonly unknown[] {
    return [this.state.target, this.state.handler];
  }
}

/** Returns the state of a proxy, or undefined if the object is not a proxy. */
export function proxyState(object: object): ProxyState | undefined {
  const slots = slotsOf(object);
  return slots instanceof ProxySlots || slots instanceof CallableProxySlots ? slots.state : undefined;
}
