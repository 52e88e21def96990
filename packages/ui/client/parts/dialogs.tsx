// The dialogs over the page: commands, keyboard shortcuts, settings.

import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { StepView } from "../fold/session-view.ts";
import { languages } from "../languages/strings.ts";
import type { Settings, Store } from "../store.ts";
import { visibleText } from "../text/odd-characters.ts";
import { ForkForm } from "./fork-dialog.tsx";
import { IconButton } from "./icon.tsx";

/** Shows the open dialog, if there is one. */
export function Dialogs({ store }: { readonly store: Store }): VNode | null {
  switch (store.dialog) {
    case null:
      return null;
    case "palette":
      return <Palette store={store} />;
    case "keys":
      return <Keys store={store} />;
    case "settings":
      return <SettingsDialog store={store} />;
    case "about":
      return <About store={store} />;
    case "fork":
      return store.forkedStep ? <Fork store={store} step={store.forkedStep} /> : null;
    default:
      return store.dialog satisfies never;
  }
}

interface ModalProps {
  readonly store: Store;
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

function Modal({ store, label, children, ...props }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // Open the dialog in a layout effect: the next key press may come soon, and must reach the
  // dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    const closed = (): void => store.show(null);
    element.addEventListener("close", closed);
    return () => {
      // The `close` event fires some time after the call of `close()`. By then, another dialog may
      // have replaced this one, and the listener would close that dialog. So remove the listener.
      element.removeEventListener("close", closed);
      element.close();
    };
  }, [store]);
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={label}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === event.currentTarget) store.show(null);
      }}
    >
      {children}
    </dialog>
  );
}

interface Command {
  readonly name: string;
  readonly keys?: string;
  run(): void;
}

function Palette({ store }: { readonly store: Store }): VNode {
  const { t } = useApp();
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const commands = useMemo(() => commandsOf(store, t), [store.sessions, t]);
  const found = commands.filter(({ name }) => name.toLowerCase().includes(words.trim().toLowerCase())).slice(0, 40);
  const run = (command: Command | undefined): void => {
    store.show(null);
    command?.run();
  };
  return (
    <Modal store={store} label={t("commands")} class="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found.length > 0 ? `command-${Math.min(at, found.length - 1)}` : undefined}
        aria-label={t("findCommand")}
        placeholder={t("goTo")}
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by !== undefined) {
            event.preventDefault();
            setAt((Math.min(at, found.length - 1) + by + found.length) % Math.max(1, found.length));
          }
          if (event.key === "Enter") {
            // Without this call, the key would also press the first button of the dialog that
            // opens.
            event.preventDefault();
            run(found[Math.min(at, found.length - 1)]);
          }
        }}
      />
      <ul id="commands" role="listbox" aria-label={t("commands")}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys, as the pattern of a combobox says
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <li
            key={command.name}
            id={`command-${index}`}
            role="option"
            aria-selected={index === Math.min(at, found.length - 1)}
            onClick={() => run(command)}
          >
            <span>{visibleText(command.name)}</span>
            {command.keys ? <kbd>{command.keys}</kbd> : null}
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function commandsOf(store: Store, t: ReturnType<typeof useApp>["t"]): readonly Command[] {
  const tab = (name: "timeline" | "variables" | "memory" | "log", keys?: string): Command => ({
    name: `${t("inspector")}: ${t(`tab-${name}`)}`,
    ...(keys ? { keys } : {}),
    run: () => store.setTab(name),
  });
  return [
    { name: t("newSession"), keys: "N", run: () => store.startNew() },
    tab("timeline", "T"),
    tab("variables", "V"),
    tab("memory"),
    tab("log"),
    { name: t("saveRun"), run: () => void store.actions.saveLog() },
    { name: t("saveHtml"), run: () => void store.actions.saveHtml() },
    { name: t("stop"), keys: "Esc", run: () => void store.actions.stop() },
    { name: t("aboutAgent"), run: () => store.show("about") },
    { name: t("keys"), keys: "?", run: () => store.show("keys") },
    { name: t("settings"), run: () => store.show("settings") },
    ...store.sessions
      .slice(0, 60)
      .map(({ id, title }) => ({ name: title === "" ? t("newSession") : title, run: () => store.open(id) })),
  ];
}

function Keys({ store }: { readonly store: Store }): VNode {
  const { t } = useApp();
  const rows: readonly (readonly [string, string])[] = [
    ["Enter", t("keySend")],
    ["Shift Enter", t("keyLine")],
    ["Esc", t("keyEscape")],
    ["↑", t("keyEditLast")],
    ["Ctrl K, ⌘ K", t("commands")],
    ["N, Ctrl Shift O", t("newSession")],
    ["/", t("keyFocusComposer")],
    ["J, K", t("keySteps")],
    ["O, Enter", t("keyOpen")],
    ["Shift O", t("keyOpenAll")],
    ["T", t("tab-timeline")],
    ["V", t("tab-variables")],
    ["A, D", t("keyDecide")],
    ["C", t("copyCode")],
    ["Space, [ ]", t("keyReplay")],
    ["?", t("keys")],
  ];
  return (
    <Modal store={store} label={t("keys")} class="sheet">
      <SheetHead store={store} title={t("keys")} />
      <dl class="keys">
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

function SheetHead({ store, title }: { readonly store: Store; readonly title: string }): VNode {
  const { t } = useApp();
  return (
    <div class="sheet-head">
      <h2>{title}</h2>
      <IconButton icon="close" label={t("close")} onClick={() => store.show(null)} />
    </div>
  );
}

function SettingsDialog({ store }: { readonly store: Store }): VNode {
  const { t, language } = useApp();
  const { theme, hasLetterKeys } = store.settings;
  const themes: readonly Settings["theme"][] = ["system", "light", "dark"];
  return (
    <Modal store={store} label={t("settings")} class="sheet">
      <SheetHead store={store} title={t("settings")} />
      <div class="settings">
        <div class="field">
          <span class="label" id="theme-label">
            {t("theme")}
          </span>
          <span class="choices" role="group" aria-labelledby="theme-label">
            {themes.map((value) => (
              <button
                key={value}
                type="button"
                class="button"
                aria-pressed={value === theme}
                onClick={() => store.set({ theme: value })}
              >
                {t(`theme-${value}`)}
              </button>
            ))}
          </span>
        </div>
        <div class="field">
          <label class="label" for="language">
            {t("language")}
          </label>
          <select
            id="language"
            class="input"
            value={language.code}
            onChange={(event) => store.set({ locale: event.currentTarget.value })}
          >
            {languages.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <label class="always">
          <input
            type="checkbox"
            checked={hasLetterKeys}
            onChange={(event) => store.set({ hasLetterKeys: event.currentTarget.checked })}
          />
          <span>{t("letterKeys")}</span>
        </label>
        <p class="buttons">
          <button type="button" class="button" onClick={() => store.show("keys")}>
            {t("keys")}
          </button>
          <button type="button" class="button" onClick={() => store.show("about")}>
            {t("aboutAgent")}
          </button>
        </p>
      </div>
    </Modal>
  );
}

function Fork({ store, step }: { readonly store: Store; readonly step: StepView }): VNode {
  const { t } = useApp();
  return (
    <Modal store={store} label={t("forkHere")} class="sheet wide">
      <SheetHead store={store} title={t("continueFrom", { number: step.number })} />
      <ForkForm step={step} onClose={() => store.show(null)} />
    </Modal>
  );
}

function About({ store }: { readonly store: Store }): VNode {
  const { t, info } = useApp();
  return (
    <Modal store={store} label={t("aboutAgent")} class="sheet">
      <SheetHead store={store} title={info?.title || t("aboutAgent")} />
      <div class="settings">{info ? <AgentFacts agent={info.agent} /> : null}</div>
    </Modal>
  );
}

function AgentFacts({ agent }: { readonly agent: NonNullable<ReturnType<typeof useApp>["info"]>["agent"] }): VNode {
  const { t } = useApp();
  return (
    <section class="agent-facts">
      <h3>{visibleText(agent.name)}</h3>
      {agent.description ? <p>{visibleText(agent.description)}</p> : null}
      <dl class="facts">
        {agent.model ? (
          <>
            <dt>{t("model")}</dt>
            <dd class="mono">{visibleText(agent.model)}</dd>
          </>
        ) : null}
        {agent.maxSteps ? (
          <>
            <dt>{t("mostSteps")}</dt>
            <dd>{agent.maxSteps}</dd>
          </>
        ) : null}
      </dl>
      {agent.tools.map((tool) => (
        <details key={tool.name} class="tool-card">
          <summary>
            <code>{visibleText(tool.name)}</code> <span>{visibleText(tool.description.split("\n")[0] ?? "")}</span>
          </summary>
          <pre dir="ltr">{visibleText(JSON.stringify(tool.inputSchema, null, 2))}</pre>
        </details>
      ))}
      {agent.managedAgents.map((inner) => (
        <AgentFacts key={inner.name} agent={inner} />
      ))}
    </section>
  );
}
