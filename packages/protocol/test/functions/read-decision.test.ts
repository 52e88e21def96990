import { readApprovalDecision, readDoubtDecision } from "@smolts/protocol";
import { expect, test } from "vitest";

const nothing = { reason: undefined, input: undefined, fields: undefined, output: undefined, by: undefined };

test("a field that is undefined counts as missing", () => {
  expect(readApprovalDecision({ ...nothing, type: "approve" })).toEqual({ type: "approve" });
  expect(readApprovalDecision({ ...nothing, type: "deny", reason: "no" })).toEqual({ type: "deny", reason: "no" });
  expect(readApprovalDecision({ ...nothing, type: "always" })).toEqual({ type: "always" });
  expect(readDoubtDecision({ ...nothing, type: "again" })).toEqual({ type: "again" });
});

test("a field that the decision's type does not have is refused, whatever its value", () => {
  for (const feilds of [["to"], null, ""]) {
    expect(() => readApprovalDecision({ type: "always", feilds })).toThrow(/no field "feilds"/);
  }
  expect(() => readApprovalDecision({ type: "approve", reason: "fine" })).toThrow(/no field "reason"/);
});
