import { llamacpp } from "@smolts/models/llamacpp";
import { keepsContract } from "../preset.ts";

keepsContract(llamacpp);
