// The page's entry: defines <agent-ui>.

import "./style/tokens.css";
import "./style/ui.css";
import "./style/parts.css";
import { defineAgentUI } from "./element.tsx";

defineAgentUI();
