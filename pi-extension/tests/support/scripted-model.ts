// An extension for Pi: the provider `script` with models that answer from a file, without network and keys.
//
// SCRIPT_FILE  JSON, a list of steps, one for each request: a text; {"calls": [{"tool", "args"}], "text"?};
//              {"error": "..."}; {"wait": milliseconds, ...}. What comes after the last step is answered "done".
// SCRIPT_LOG   one line of JSON for each request: {model, system, tools, messages}

import { appendFileSync, readFileSync } from 'node:fs';
import {
  fauxAssistantMessage,
  fauxProvider,
  fauxText,
  fauxToolCall,
  getCurrentSystemPrompt,
  getCurrentTools,
} from '@earendil-works/pi-ai';
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';

type Step = string | { text?: string; calls?: { tool: string; args: Record<string, unknown> }[]; error?: string; wait?: number };

const model = (id: string) => ({ id, name: id, reasoning: false, input: ['text' as const], contextWindow: 200_000, maxTokens: 8_000 });

export default function script(pi: ExtensionAPI): void {
  const { SCRIPT_FILE: file = '', SCRIPT_LOG: log = '' } = process.env;
  const provider = fauxProvider({ provider: 'script', api: 'script-api', models: [model('one'), model('tagger')] });
  // One step is taken for each request of the process, whatever session it comes from.
  const taken = ((globalThis as { scriptTaken?: { count: number } }).scriptTaken ??= { count: 0 });

  const respond = async (context: any, options: any, _state: unknown, asked: any) => {
    provider.appendResponses([respond]);
    const messages = context.messages.filter((message: { role: string }) => message.role !== 'system');
    const tools = (getCurrentTools(context.messages) ?? []).map((tool: { name: string }) => tool.name);
    const system = context.systemPrompt ?? getCurrentSystemPrompt(context.messages);
    appendFileSync(log, `${JSON.stringify({ model: asked.id, system, tools, messages })}\n`);
    const steps: Step[] = JSON.parse(readFileSync(file, 'utf8'));
    const given = steps[taken.count++] ?? 'done';
    const step = typeof given === 'string' ? { text: given } : given;
    if (step.wait) await new Promise((resolve) => setTimeout(resolve, step.wait));
    if (options?.signal?.aborted) return fauxAssistantMessage([], { stopReason: 'aborted', errorMessage: 'aborted' });
    if (step.error) return fauxAssistantMessage([], { stopReason: 'error', errorMessage: step.error });
    const calls = (step.calls ?? []).map(({ tool, args }) => fauxToolCall(tool, args as never));
    const parts = [...(step.text === undefined ? [] : [fauxText(step.text)]), ...calls];
    return fauxAssistantMessage(parts, { stopReason: calls.length ? 'toolUse' : 'stop' });
  };
  provider.setResponses([respond as never]);
  pi.registerProvider(provider.provider);
}
