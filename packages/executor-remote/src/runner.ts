import { nodeRunnerSource } from "./node-runner.gen.ts";
import { pythonGuestSource } from "./python-guest.gen.ts";
import { pythonSupervisorSource } from "./python-runner.gen.ts";

/** The languages that there is a runner for. */
export type GuestLanguage = "javascript" | "python";

/** A runner, ready to be started in a sandbox that has nothing but the language. */
export interface Runner {
  readonly language: GuestLanguage;
  /**
   * The command to start. It reads {@link Runner.source} from its standard input, an exact number
   * of bytes, and continues as that program.
   */
  readonly command: readonly string[];
  /** The first bytes for its standard input. `remoteExecutor` writes them. */
  readonly source: string;
}

/** The runner of a language. */
export function runnerOf(language: GuestLanguage): Runner {
  switch (language) {
    case "javascript":
      return { language, command: ["node", "-e", nodeLoader(nodeRunnerSource.length)], source: nodeRunnerSource };
    case "python":
      return {
        language,
        command: ["python3", "-c", pythonLoader(pythonRunnerSource.length)],
        source: pythonRunnerSource,
      };
    default:
      return language satisfies never;
  }
}

// Both read exactly so many bytes, for the frames follow at once. Standard input may be without
// bytes for a moment (EAGAIN).
const nodeLoader = (length: number): string =>
  [
    'const fs=require("fs"),os=require("os"),path=require("path");',
    `const b=Buffer.alloc(${length});let n=0;`,
    "while(n<b.length){let r=0;try{r=fs.readSync(0,b,n,b.length-n)}catch(e){",
    'if(e.code!=="EAGAIN")throw e;Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,2);continue}',
    "if(r===0)process.exit(0);n+=r}",
    'const f=path.join(fs.mkdtempSync(path.join(os.tmpdir(),"smolts-")),"runner.mjs");',
    "fs.writeFileSync(f,b);process.argv[1]=f;import(f)",
  ].join("");

const pythonRunnerSource: string = pythonGuestSource + pythonSupervisorSource;

const pythonLoader = (length: number): string =>
  [
    "import os,sys",
    `n=${length};b=b''`,
    "while len(b)<n:",
    " r=os.read(0,n-len(b))",
    " if not r:sys.exit(0)",
    " b+=r",
    "exec(compile(b,'runner.py','exec'),{'__name__':'__main__'})",
  ].join("\n");
