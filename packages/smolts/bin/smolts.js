#!/usr/bin/env node
import { main } from "@smolts/cli";

await main();
