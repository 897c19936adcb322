// A mail server of one test, on loopback: keeps what it was sent.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** With its headers. */
  readonly source: string;
}

export interface MailServerOptions {
  /** Asked for where it is given. */
  readonly user?: string;
  readonly password?: string;
  /** False: it has no encryption to offer; else one with a certificate that nobody knows. */
  readonly offersTls?: boolean;
  /** What is answered to the mail of this number, from 1; undefined takes it. */
  readonly refuses?: (count: number) => string | undefined;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
}

export async function serveMail({ user, password, offersTls = true, refuses }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    logger: false,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      if (auth.username === user && auth.password === password) done(null, { user: 'me' });
      else done(Object.assign(new Error(`${auth.username} and ${auth.password} are not known`), { responseCode: 535 }));
    },
    onData: (stream, { envelope }, done) => {
      void text(stream).then((source) => {
        mails.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
        });
        const refusal = refuses?.(mails.length);
        if (refusal === undefined) done();
        else done(Object.assign(new Error(refusal), { responseCode: Number(refusal.slice(0, 3)) }));
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
