import type { AnyNode, Node } from "acorn";

/**
 * Returns the children of a node in the order of their evaluation. Returns null for unsupported
 * syntax, and for nodes that affect names, scopes or suspension in a special way.
 */
export function plainChildren(node: AnyNode): readonly (Node | null | undefined)[] | null {
  switch (node.type) {
    case "Literal":
    case "TemplateElement":
    case "EmptyStatement":
    case "DebuggerStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return [];
    case "LabeledStatement":
      return [node.body];
    case "IfStatement":
    case "ConditionalExpression":
      return [node.test, node.consequent, node.alternate];
    case "ExpressionStatement":
    case "ParenthesizedExpression":
    case "ChainExpression":
      return [node.expression];
    case "ThrowStatement":
    case "UnaryExpression":
    case "UpdateExpression":
    case "SpreadElement":
    case "RestElement":
      return [node.argument];
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
    case "AssignmentPattern":
      return [node.left, node.right];
    case "MemberExpression":
      return node.computed || node.property.type === "PrivateIdentifier" ? [node.object, node.property] : [node.object];
    case "CallExpression":
    case "NewExpression":
      return [node.callee, ...node.arguments];
    case "SequenceExpression":
    case "TemplateLiteral":
      return node.expressions;
    case "TaggedTemplateExpression":
      return [node.tag, node.quasi];
    case "ArrayExpression":
    case "ArrayPattern":
      return node.elements;
    case "ObjectExpression":
    case "ObjectPattern":
      return node.properties;
    case "Property":
      return node.computed ? [node.key, node.value] : [node.value];
    case "ImportExpression":
      return node.options ? [node.source, node.options] : [node.source];
    default:
      return null;
  }
}
