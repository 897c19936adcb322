// Mails by SMTP. The server is the one that a person named for the channel: no gate stands before it (D31).
import { MailError } from '../../delivery/ports.ts';
import type { SendMail } from '../../delivery/ports.ts';

/** Of each phase: connecting, greeting, silence. */
const PHASE_MS = 15_000;

/** Sends mails, each on a connection of its own. */
export function createMailer(): SendMail {
  return async (mail, signal) => {
    const { createTransport } = await import('nodemailer');
    const { host, port, security, username, password } = mail;
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
      connectionTimeout: PHASE_MS,
      greetingTimeout: PHASE_MS,
      socketTimeout: PHASE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(signal.reason as Error);
    signal.addEventListener('abort', end, { once: true });
    try {
      signal.throwIfAborted();
      const { from, to, subject, text, html, messageId } = mail;
      const sent = transport.sendMail({ from, to: [...to], subject, text, html, messageId: `<${messageId}>` });
      const { response } = await Promise.race([sent, ended.promise]);
      return { status: statusOf(response), answer: response };
    } catch (error) {
      if (signal.aborted) throw error;
      throw mailError(error, `${host}:${port}`);
    } finally {
      signal.removeEventListener('abort', end);
      transport.close();
    }
  };
}

function mailError(error: unknown, server: string): MailError {
  const said = error instanceof Error ? error.message : String(error);
  const status =
    error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined;
  return new MailError(`The mail server ${server} did not take the mail: ${said}.`, status, error);
}

function statusOf(response: string): number | undefined {
  const code = /^\d{3}/.exec(response)?.[0];
  return code === undefined ? undefined : Number(code);
}
