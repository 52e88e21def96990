// The page before the first run: the agent's name, what it can do, and example tasks. Also the
// pages before a visitor is logged in.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import type { Store } from "../store.ts";
import { asSentences } from "../text/as-sentences.ts";
import { visibleText } from "../text/odd-characters.ts";
import { Fish, Icon } from "./icon.tsx";

/** The page for a session without runs. */
export function Start({ store }: { readonly store: Store }): VNode {
  const { t, info } = useApp();
  const [picker, setPicker] = useState<HTMLInputElement | null>(null);
  if (!info) return <div class="column start" />;
  const tools = [...info.agent.tools.map(({ name }) => name), ...info.agent.managedAgents.map(({ name }) => name)];
  return (
    <div class="column start">
      <div class="who">
        <Fish size={40} />
        <h2>{info.title === "" ? t("whatToDo") : visibleText(info.title)}</h2>
        {info.description ? <p dir="auto">{visibleText(info.description)}</p> : null}
        <div class="tools">
          {tools.slice(0, 12).map((name) => (
            <span key={name} class="chip mono">
              {visibleText(name)}
            </span>
          ))}
          {tools.length > 12 ? <span class="chip">{t("andMore", { count: tools.length - 12 })}</span> : null}
        </div>
      </div>
      {info.examples.length > 0 ? (
        <div class="examples">
          {info.examples.slice(0, 6).map(({ title, prompt }) => (
            <button
              key={prompt}
              type="button"
              title={prompt === title ? undefined : prompt}
              onClick={() => {
                store.setDraft(prompt);
                void store.actions.send();
              }}
            >
              <span dir="auto">{visibleText(title)}</span>
              <Icon name="arrow" />
            </button>
          ))}
        </div>
      ) : null}
      <p class="drop">
        {t("dropFile")}{" "}
        <button type="button" class="link" onClick={() => picker?.click()}>
          {t("chooseFile")}
        </button>
        {t("dropFileWhy")}
        <input
          ref={setPicker}
          type="file"
          hidden
          accept=".jsonl,.ndjson,.html"
          aria-label={t("chooseFile")}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void store.openFile(file);
            event.currentTarget.value = "";
          }}
        />
      </p>
    </div>
  );
}

/** The page for a visitor who is not logged in yet. */
export function Locked({ store }: { readonly store: Store }): VNode {
  const { t } = useApp();
  const [word, setWord] = useState("");
  const { entrance } = store;
  if (entrance.type === "entering" || entrance.type === "in") return <main class="locked" aria-busy="true" />;
  if (entrance.type === "unreachable")
    return (
      <main class="locked">
        <Fish size={40} />
        <h1>{t("serverGone")}</h1>
        <p>{t("serverGoneHint")}</p>
        <p class="buttons">
          <button type="button" class="button primary" onClick={() => void store.enter()}>
            {t("tryNow")}
          </button>
        </p>
      </main>
    );
  if (entrance.type === "foreign")
    return (
      <main class="locked">
        <Fish size={40} />
        <h1>{t("foreignServer")}</h1>
        <p>{t("foreignServerHint", { origin: visibleText(entrance.server.origin) })}</p>
        <p class="buttons">
          <a class="button primary" href={entrance.server.href} rel="noopener noreferrer">
            {t("foreignServerOpen")}
          </a>
        </p>
      </main>
    );
  const { needs, problem } = entrance;
  const isPassword = needs === "password";
  return (
    <main class="locked">
      <Fish size={40} />
      <h1>{t(isPassword ? "passwordNeeded" : needs === "login" ? "loginNeeded" : "codeNeeded")}</h1>
      <p>{t(isPassword ? "passwordHint" : needs === "login" ? "loginHint" : "codeHint")}</p>
      {needs === "login" ? null : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const code = isPassword ? word.trim() : codeIn(word);
            if (code !== "") void store.enter(code);
          }}
        >
          <label class="label" for="entry-word">
            {t(isPassword ? "password" : "launchCode")}
          </label>
          <span class="entry">
            <LoginField isPassword={isPassword} value={word} onInput={setWord} />
            <button type="submit" class="button primary">
              {t("enter")}
            </button>
          </span>
        </form>
      )}
      {problem ? (
        <p class="odd" role="alert">
          <Icon name="warn" size={14} />
          <span>{visibleText(asSentences(problem))}</span>
        </p>
      ) : null}
    </main>
  );
}

/** Returns the launch code: the text itself, or its end if the text is a whole link. */
const codeIn = (text: string): string => text.trim().replace(/^.*#code=/, "");

interface LoginFieldProps {
  readonly isPassword: boolean;
  readonly value: string;
  onInput(value: string): void;
}

function LoginField({ isPassword, value, onInput }: LoginFieldProps): VNode {
  const common = {
    id: "entry-word",
    class: "input",
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
  };
  return isPassword ? (
    <input {...common} type="password" autoComplete="current-password" />
  ) : (
    <input {...common} type="text" autoComplete="off" />
  );
}
