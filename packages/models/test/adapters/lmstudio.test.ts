import { lmstudio } from "@smolts/models/lmstudio";
import { keepsContract } from "../preset.ts";

keepsContract(lmstudio);
