import { hf } from "@smolts/models/hf";
import { keepsContract } from "../preset.ts";

keepsContract(hf);
