import { together } from "@smolts/models/together";
import { keepsContract } from "../preset.ts";

keepsContract(together);
