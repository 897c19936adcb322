// The format of chat completions, which OpenAI began and most servers of models speak: https://platform.openai.com/docs/api-reference/chat
import { AT_LENGTH, countMember, CUT, DECLINED, listMember, memberOf, NO_ANSWER, textInstruction, textMember } from './wire.ts';
import type { WireAnswer, WireFormat, WireQuestion } from './wire.ts';

/** Chat completions. */
export const CHAT_COMPLETIONS: WireFormat = {
  path: 'chat/completions',
  modes: ['json_schema', 'tool', 'text'],
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: bodyOf,
  readJson,
  readEvents,
};

function bodyOf({ name, system, text, schema, model, outputTokensMax, dialect }: WireQuestion): object {
  const told = dialect.mode === 'text' ? `${system}\n\n${textInstruction(schema)}` : system;
  return {
    model,
    messages: [
      { role: 'system', content: told },
      { role: 'user', content: text },
    ],
    [dialect.tokensMember]: outputTokensMax,
    ...(dialect.hasTemperature ? { temperature: 0 } : {}),
    ...(dialect.isStreamed ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(dialect.mode === 'json_schema' ? { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } } : {}),
    ...(dialect.mode === 'tool'
      ? {
          tools: [{ type: 'function', function: { name, description: 'Takes the answer.', parameters: schema } }],
          tool_choice: { type: 'function', function: { name } },
        }
      : {}),
  };
}

function readJson(value: unknown): WireAnswer {
  const choice = listMember(value, 'choices')[0];
  const message = memberOf(choice, 'message');
  const call = memberOf(listMember(message, 'tool_calls')[0], 'function');
  const text = call === undefined ? contentOf(message) : argumentsOf(call);
  const usage = usageOf(memberOf(value, 'usage'));
  if (message === undefined) return { text, ...usage, failure: NO_ANSWER };
  return {
    text,
    ...(call === undefined ? {} : { tool: textMember(call, 'name') }),
    ...usage,
    ...failed(textMember(choice, 'finish_reason'), textMember(message, 'refusal')),
  };
}

/** A text, or the texts of its parts. */
function contentOf(message: unknown): string {
  const content = memberOf(message, 'content');
  if (typeof content === 'string') return content;
  return listMember(message, 'content')
    .map((part) => textMember(part, 'text'))
    .join('');
}

/** A text that holds JSON; some servers send the object itself. */
function argumentsOf(call: unknown): string {
  const given = memberOf(call, 'arguments');
  return typeof given === 'string' ? given : JSON.stringify(given ?? '');
}

function readEvents(events: readonly unknown[]): WireAnswer {
  let content = '';
  let call = '';
  let tool = '';
  let refusal = '';
  let ending = '';
  let usage = usageOf(undefined);
  for (const event of events) {
    if (memberOf(event, 'error') !== undefined) return { text: '', ...usage, failure: CUT };
    const choice = listMember(event, 'choices')[0];
    const delta = memberOf(choice, 'delta');
    content += contentOf(delta);
    refusal += textMember(delta, 'refusal');
    // One tool is offered, so one call is meant: what belongs to a second is left.
    for (const each of listMember(delta, 'tool_calls').filter((one) => (countMember(one, 'index') ?? 0) === 0)) {
      call += textMember(memberOf(each, 'function'), 'arguments');
      tool = textMember(memberOf(each, 'function'), 'name') || tool;
    }
    ending = textMember(choice, 'finish_reason') || ending;
    const told = memberOf(event, 'usage');
    if (told !== undefined && told !== null) usage = usageOf(told);
  }
  const text = call || content;
  return { text, ...(call === '' ? {} : { tool }), ...usage, ...(ending === '' ? { failure: CUT } : failed(ending, refusal)) };
}

function failed(ending: string, refusal: string): Pick<WireAnswer, 'failure'> {
  if (refusal !== '' || ending === 'content_filter') return { failure: DECLINED };
  return ending === 'length' ? { failure: AT_LENGTH } : {};
}

function usageOf(usage: unknown): Pick<WireAnswer, 'inputTokens' | 'outputTokens'> {
  return { inputTokens: countMember(usage, 'prompt_tokens'), outputTokens: countMember(usage, 'completion_tokens') };
}
