/**
 * An object that answers by `overrides` where they say something, and by `target` elsewhere. Methods keep their own `this`, so that private
 * fields work.
 */
export function withOverrides<Target extends object>(target: Target, overrides: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, key) => {
      const owner = key in overrides ? overrides : target;
      const value: unknown = Reflect.get(owner, key, owner);
      return typeof value === "function" ? value.bind(owner) : value;
    },
  });
}
