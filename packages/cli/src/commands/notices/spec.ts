// Where people and programs are told of what changed.
import type { ChannelKind } from '@weft/contract';
import { namesOf } from '../../names.ts';
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

const KINDS = namesOf<ChannelKind>({
  webhook: true,
  smtp: true,
  desktop: true,
  ntfy: true,
  slack: true,
  discord: true,
  telegram: true,
});

export const group: GroupSpec = {
  section: 'What was kept',
  commands: [
    {
      name: 'notify',
      summary: 'tell people and programs of what changed',
      commands: [
        {
          name: 'list',
          summary: 'all channels, and how they are; one with all that is told of it',
          args: ['[id]'],
          options: LIST_PAGE,
          load: () => import('./list.ts'),
        },
        {
          name: 'add',
          summary: `a new channel: ${KINDS.join(', ')}; its secret values are typed without echo or read from standard input`,
          args: ['<kind>', '[name]'],
          options: [
            { flags: '--url <address>', summary: 'webhook: where signed messages are sent' },
            { flags: '--own-secret', summary: 'webhook: type a signing secret; a new one is made and shown once unless said' },
            { flags: '--host <name>', summary: 'smtp: the mail server' },
            { flags: '--port <number>', summary: 'smtp: its port; 587 unless said' },
            { flags: '--security <kind>', summary: 'smtp: how the connection is protected', choices: ['tls', 'starttls', 'none'] },
            { flags: '--username <name>', summary: 'smtp: who signs in; the password is asked for' },
            { flags: '--from <address>', summary: 'smtp: the sender' },
            { flags: '--to <address>', summary: 'smtp: a recipient; repeatable', repeats: true },
            { flags: '--server <address>', summary: 'ntfy, telegram: another server than the public one' },
            { flags: '--topic <topic>', summary: 'ntfy: what is published to' },
            { flags: '--protected', summary: 'ntfy: the topic asks for a token, which is asked for' },
            { flags: '--chat-id <id>', summary: 'telegram: who is written to' },
            { flags: '--title <template>', summary: 'the title of its messages, in Liquid' },
            { flags: '--body <template>', summary: 'their body, in Liquid' },
            { flags: '--level <level>', summary: 'leave out what is lighter', choices: ['info', 'warning', 'error'] },
            { flags: '--digest <minutes>', summary: 'collect what comes within so many minutes into one message' },
            { flags: '--quiet <from-to>', summary: 'hours in which nothing is sent, such as 22:00-07:00' },
            { flags: '--timezone <zone>', summary: 'of --quiet, such as Europe/Berlin' },
            { flags: '--drop', summary: 'of --quiet: what comes in these hours is never sent' },
            { flags: '--only-named', summary: 'tell it only of what names it' },
          ],
          examples: [
            'weft notify add webhook deploys --url https://hooks.example.com/weft',
            'weft notify add smtp me --host mail.example.com --username me --from weft@example.com --to me@example.com',
            'weft notify add ntfy phone --topic my-alerts --quiet 22:00-07:00',
          ],
          load: () => import('./add.ts'),
        },
        { name: 'test', summary: 'send a message to a channel now', args: ['<id>'], load: () => import('./test.ts') },
        {
          name: 'mute',
          summary: 'keep a channel silent: what comes meanwhile is dropped',
          args: ['<id>'],
          options: [
            { flags: '--for <time>', summary: 'such as 30m, 8h or 2d; an hour unless said' },
            { flags: '--off', summary: 'let it speak again' },
          ],
          examples: ['weft notify mute 3 --for 8h', 'weft notify mute 3 --off'],
          load: () => import('./mute.ts'),
        },
        {
          name: 'rotate',
          summary: 'a new signing secret for a webhook; the one before stays valid for a day',
          args: ['<id>'],
          options: [{ flags: '--own-secret', summary: 'type it; a new one is made and shown once unless said' }],
          load: () => import('./rotate.ts'),
        },
        { name: 'enable', summary: 'switch a channel on again; what waits is sent', args: ['<id>'], load: () => import('./enable.ts') },
        { name: 'disable', summary: 'switch a channel off', args: ['<id>'], load: () => import('./disable.ts') },
        {
          name: 'deliveries',
          summary: 'what was sent, and what waits; one with its attempts',
          args: ['[id]'],
          options: [
            { flags: '--channel <id>', summary: 'only of this channel' },
            { flags: '--status <status>', summary: 'only these', choices: ['pending', 'sent', 'failed', 'collected', 'dropped'] },
            { flags: '--limit <count>', summary: 'how many at most; 50 unless said' },
            { flags: '--cursor <cursor>', summary: 'where the page before ended' },
          ],
          load: () => import('./deliveries.ts'),
        },
        { name: 'redeliver', summary: 'send a delivery again', args: ['<id>'], load: () => import('./redeliver.ts') },
        { name: 'remove', summary: 'delete a channel with its queue', args: ['<id>'], load: () => import('./remove.ts') },
      ],
    },
  ],
};
