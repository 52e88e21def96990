// The page's entry: defines <agent-ui>.

import { keyHeader } from "../src/wire.ts";

class AgentUI extends HTMLElement {
  connectedCallback(): void {
    this.textContent = `agent-ui ${keyHeader}`;
  }
}

customElements.define("agent-ui", AgentUI);
