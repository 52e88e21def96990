import { nodeRunnerSource } from "./node-runner.gen.ts";
import { pythonGuestSource } from "./python-guest.gen.ts";
import { pythonSupervisorSource } from "./python-runner.gen.ts";

/** The languages for which there is a runner. */
export type GuestLanguage = "javascript" | "python";

/** A runner that can be started in any sandbox that has the language installed. */
export interface Runner {
  readonly language: GuestLanguage;
  /**
   * The command that starts the runner. It reads {@link Runner.source}, an exact number of bytes,
   * from its standard input, and continues as that program.
   */
  readonly command: readonly string[];
  /** The text that `remoteExecutor` writes first to the command's standard input. */
  readonly source: string;
}

/** Returns the runner for a language. */
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

// Both loaders read an exact number of bytes, because frames follow immediately after the source.
// The Node loader tries again after EAGAIN, an error that means that standard input is still empty.
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
