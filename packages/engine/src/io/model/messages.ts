// The format of Anthropic's messages: https://docs.anthropic.com/en/api/messages
import { AT_LENGTH, countMember, CUT, DECLINED, listMember, memberOf, NO_ANSWER, textInstruction, textMember } from './wire.ts';
import type { WireAnswer, WireFormat, WireQuestion } from './wire.ts';

const VERSION = '2023-06-01';

/** Messages. A tool that must be called is its way to a schema, which every model behind it takes. */
export const MESSAGES: WireFormat = {
  path: 'v1/messages',
  modes: ['tool', 'text'],
  headers: (key) => ({ 'anthropic-version': VERSION, ...(key === undefined ? {} : { 'x-api-key': key }) }),
  body: bodyOf,
  readJson,
  readEvents,
};

function bodyOf({ name, system, text, schema, model, outputTokensMax, dialect }: WireQuestion): object {
  return {
    model,
    max_tokens: outputTokensMax,
    system: dialect.mode === 'text' ? `${system}\n\n${textInstruction(schema)}` : system,
    messages: [{ role: 'user', content: text }],
    ...(dialect.hasTemperature ? { temperature: 0 } : {}),
    ...(dialect.isStreamed ? { stream: true } : {}),
    ...(dialect.mode === 'tool'
      ? {
          tools: [{ name, description: 'Takes the answer.', input_schema: schema }],
          tool_choice: { type: 'tool', name, disable_parallel_tool_use: true },
        }
      : {}),
  };
}

function readJson(value: unknown): WireAnswer {
  const usage = memberOf(value, 'usage');
  const counts = { inputTokens: countMember(usage, 'input_tokens'), outputTokens: countMember(usage, 'output_tokens') };
  const blocks = listMember(value, 'content');
  const call = blocks.find((block) => textMember(block, 'type') === 'tool_use');
  const text =
    call === undefined ? blocks.map((block) => textMember(block, 'text')).join('') : JSON.stringify(memberOf(call, 'input') ?? '');
  if (textMember(value, 'type') !== 'message') return { text, ...counts, failure: NO_ANSWER };
  return {
    text,
    ...(call === undefined ? {} : { tool: textMember(call, 'name') }),
    ...counts,
    ...failed(textMember(value, 'stop_reason')),
  };
}

function readEvents(events: readonly unknown[]): WireAnswer {
  let said = '';
  let call = '';
  let tool = '';
  let ending = '';
  let hasStopped = false;
  let inputTokens: number | undefined;
  let outputTokens: number | undefined;
  for (const event of events) {
    const type = textMember(event, 'type');
    const delta = memberOf(event, 'delta');
    if (type === 'error') break;
    if (type === 'message_start') inputTokens = countMember(memberOf(memberOf(event, 'message'), 'usage'), 'input_tokens');
    if (type === 'content_block_start') tool = textMember(memberOf(event, 'content_block'), 'name') || tool;
    if (type === 'content_block_delta') {
      said += textMember(delta, 'text');
      call += textMember(delta, 'partial_json');
    }
    if (type === 'message_delta') {
      ending = textMember(delta, 'stop_reason');
      outputTokens = countMember(memberOf(event, 'usage'), 'output_tokens');
    }
    if (type === 'message_stop') hasStopped = true;
  }
  const isWhole = hasStopped && ending !== '';
  return {
    text: call || said,
    ...(call === '' ? {} : { tool }),
    inputTokens,
    outputTokens,
    ...(isWhole ? failed(ending) : { failure: CUT }),
  };
}

function failed(ending: string): Pick<WireAnswer, 'failure'> {
  if (ending === 'refusal') return { failure: DECLINED };
  return ending === 'max_tokens' ? { failure: AT_LENGTH } : {};
}
