/**
 * Copies a text. Browsers have their clipboard API only on HTTPS and on this machine; elsewhere the
 * older command is used.
 *
 * @throws if the browser does not allow copying
 */
export async function copyText(text: string): Promise<void> {
  // The types do not say that it may be absent.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) return clipboard.writeText(text);
  const focused = focusedElement();
  const area = document.createElement("textarea");
  area.value = text;
  Object.assign(area.style, { position: "fixed", top: "0", opacity: "0" });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  if (!isCopied) throw new Error("the browser did not copy");
}

function focusedElement(): HTMLElement | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement ? focused : null;
}
