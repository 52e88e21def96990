import { vllm } from "@smolts/models/vllm";
import { keepsContract } from "../preset.ts";

keepsContract(vllm);
