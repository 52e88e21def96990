import { openai } from "@smolts/models/openai";
import { keepsContract } from "../preset.ts";

keepsContract(openai);
