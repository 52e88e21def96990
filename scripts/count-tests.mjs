// Adds up the JSON reports of vitest and prints the last line of CI: "N passed, N failed", and the
// number of skipped tests if there are any. Tests that did not run must not look successful. So a
// missing report, a test file without tests, a package without a passed test, and a failed stage of
// CI each count as a failure. The file is plain JavaScript, so that it runs even if the
// installation has failed.
//
//   node scripts/count-tests.mjs [--failed-stages N] report.json ...

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const packagesFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");

function main() {
  const { values, positionals } = parseArgs({
    options: { "failed-stages": { type: "string", default: "0" } },
    allowPositionals: true,
  });
  const counts = positionals.map(countsOf);
  const passed = sum(counts.map((count) => count.passed));
  const skipped = sum(counts.map((count) => count.skipped));
  const failed = sum(counts.map((count) => count.failed));
  // If a stage failed because of failed tests, it is not counted in addition to them.
  const shownFailed = failed > 0 ? failed : Number(values["failed-stages"]);
  console.log(`${passed} passed, ${shownFailed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  process.exitCode = shownFailed === 0 && passed > 0 ? 0 : 1;
}

function countsOf(path) {
  const report = read(path);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const files = report.testResults;
  const problems = [...filesWithoutTests(files), ...packagesWithoutTests(files)];
  for (const problem of problems) console.log(problem);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + problems.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    console.log(`no report of a test run: ${error.message}`);
    return undefined;
  }
}

function filesWithoutTests(files) {
  const empty = files.filter((file) => file.assertionResults.length === 0);
  return empty.map((file) => `no test ran in "${file.name}": ${file.message}`);
}

function packagesWithoutTests(files) {
  const names = readdirSync(packagesFolder).filter((name) => existsSync(join(packagesFolder, name, "src")));
  const silent = names.filter((name) => !files.some((file) => isOf(name, file) && hasPassed(file)));
  return silent.map((name) => `no test of the package "${name}" passed`);
}

function isOf(name, file) {
  return file.name.replaceAll("\\", "/").includes(`/packages/${name}/`);
}

function hasPassed(file) {
  return file.assertionResults.some((result) => result.status === "passed");
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

main();
