// Messages of chat, push and mail: what is sent holds what it should, and nothing in it has a meaning of its own.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Message, Notice } from '../delivery.ts';
import { discordRequest, ntfyRequest, retryAfterOf, slackRequest, telegramRequest } from './chat.ts';
import { mailOf } from './mail.ts';
import { webhookRequest } from './webhook.ts';

const MESSAGE: Message = {
  id: 'msg_1',
  notices: [],
  title: 'Shop: <b>changed</b> & more',
  body: '<script>alert("1")</script> <!channel> @everyone *bold*',
  link: 'https://shop.test/?a=1&b="2"',
  level: 'error',
};
const json = ({ body }: { body: string }) => JSON.parse(body) as Record<string, unknown>;

suite('a webhook', () => {
  test('of a full digest of long texts is small, and each says that it was cut', () => {
    const notice: Notice = { event: 'a.b', level: 'info', subject: { kind: 'agent' }, data: { message: 'x'.repeat(15_000) }, atMs: 0 };
    const message = { ...MESSAGE, notices: Array.from({ length: 100 }, () => notice) };
    const { body } = webhookRequest({ kind: 'webhook', url: 'https://a.test/' }, message, { secret: `whsec_${'A'.repeat(32)}` }, 0);
    const { data } = JSON.parse(body) as { data: { notices: { data: { cut: boolean } }[] } };
    assert.ok(body.length < 100_000);
    assert.ok(data.notices.length === 100 && data.notices.every((each) => each.data.cut));
  });
});

suite('messages of services', () => {
  test('ntfy: published as JSON, with the token in a header', () => {
    const request = ntfyRequest({ kind: 'ntfy', server: 'https://ntfy.test', topic: 'alerts' }, MESSAGE, { token: 'tk_1' });
    assert.deepEqual(request.headers, { authorization: 'Bearer tk_1' });
    assert.deepEqual(json(request), { topic: 'alerts', title: MESSAGE.title, message: MESSAGE.body, priority: 5, click: MESSAGE.link });
  });

  test('slack: nobody is mentioned by what a page says', () => {
    const { text } = json(slackRequest(MESSAGE, { url: 'https://hooks.slack.test/x' }));
    assert.equal(
      text,
      'Shop: &lt;b&gt;changed&lt;/b&gt; &amp; more\n&lt;script&gt;alert("1")&lt;/script&gt; &lt;!channel&gt; @everyone *bold*',
    );
  });

  test('discord: nobody is mentioned either', () => {
    const body = json(discordRequest(MESSAGE, { url: 'https://discord.test/x' }));
    assert.deepEqual(body, {
      embeds: [{ title: MESSAGE.title, description: MESSAGE.body, url: MESSAGE.link }],
      allowed_mentions: { parse: [] },
    });
  });

  test('telegram: plain text, below the folder of the server', () => {
    const request = telegramRequest({ kind: 'telegram', server: 'https://tg.test/api/', chat_id: '-100' }, MESSAGE, { token: '1:abc' });
    assert.equal(request.url, 'https://tg.test/api/bot1:abc/sendMessage');
    assert.deepEqual([json(request)['chat_id'], 'parse_mode' in json(request)], ['-100', false]);
  });

  test('a long text is cut to what a service takes', () => {
    const long = { ...MESSAGE, body: '😀'.repeat(50_000) };
    const texts = [
      json(ntfyRequest({ kind: 'ntfy', server: 'https://ntfy.test', topic: 'a' }, long, {}))['message'],
      json(telegramRequest({ kind: 'telegram', server: 'https://tg.test', chat_id: '1' }, long, { token: 't' }))['text'],
    ].map(String);
    for (const text of texts) assert.ok(text.length <= 4_000 && text.isWellFormed() && text.endsWith('…'));
  });

  test('a refusal says in its body when to come again', () => {
    assert.equal(retryAfterOf('{"ok":false,"parameters":{"retry_after":35}}'), '36');
    assert.equal(retryAfterOf('{"message":"slow","retry_after":0.65}'), '1');
    assert.equal(retryAfterOf('{"ok":true}'), undefined);
  });

  test('mail: nothing that a page says is markup', () => {
    const to = { kind: 'smtp', host: 'm', port: 25, security: 'none', from: 'a@b', to: ['c@d'] } as const;
    const { html, text, messageId } = mailOf({ ...to, to: [...to.to] }, MESSAGE, {});
    assert.equal(text, MESSAGE.body);
    assert.ok(!html.includes('<script') && html.includes('&lt;script&gt;alert(&quot;1&quot;)'));
    assert.ok(html.includes('href="https://shop.test/?a=1&amp;b=&quot;2&quot;"'));
    assert.equal(messageId, 'msg_1@b');
  });
});
