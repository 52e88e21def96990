/**
 * Copies text to the clipboard. Browsers provide the clipboard API only over HTTPS and on
 * localhost. Elsewhere, the older command `copy` is used.
 *
 * @throws if the browser does not allow copying
 */
export async function copyText(text: string): Promise<void> {
  // The types do not say that the clipboard API may be missing.
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
