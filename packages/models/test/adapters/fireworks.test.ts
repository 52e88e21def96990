import { fireworks } from "@smolts/models/fireworks";
import { keepsContract } from "../preset.ts";

keepsContract(fireworks);
