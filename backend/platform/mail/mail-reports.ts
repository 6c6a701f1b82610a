import PostalMime, { type Attachment } from 'postal-mime';

/** What a mail server or a mailbox provider says about a mail of ours, and the token of that mail's link. */
export interface MailReport {
  why: 'bounced' | 'complained' | 'failed';
  token: string;
}

/** Whether a status of RFC 3463 says that the recipient's address does not exist or takes no mails, and not that one mail was refused. */
export const isAddressDead = (status: string): boolean => /^5\.(1\.(0|1|2|3|6|10)|2\.1)$/.test(status);

const text = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1');

/**
 * Reads a notice of a mail server about a failed delivery (RFC 3464), or a recipient's complaint (RFC 5965). Null for any other
 * mail, for delays and deliveries, and for notices about mails without our link. What it is about is told by the headers of the
 * returned mail alone, since recipients are often left out.
 */
export async function readMailReport(raw: Buffer): Promise<MailReport | null> {
  const { attachments } = await PostalMime.parse(raw).catch(() => ({ attachments: [] as Attachment[] }));
  const part = (...types: string[]) => attachments.find(({ mimeType }) => types.includes(mimeType));
  const returned = part('message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers');
  const [headers = ''] = returned ? text(returned).split(/\r?\n\r?\n/, 1) : [];
  const token = /^List-Unsubscribe:\s*<[^>]*\/avisos\/([\w-]+)>/im.exec(headers)?.[1];
  if (token === undefined) return null;
  const [status, feedback] = [part('message/delivery-status'), part('message/feedback-report')];
  if (feedback)
    return /^Feedback-Type:\s*(abuse|fraud)\b/im.test(text(feedback)) ? { why: 'complained', token } : null;
  if (!status || !/^Action:\s*failed\b/im.test(text(status))) return null;
  const code = /^Status:\s*(\d\.\d{1,3}\.\d{1,3})/im.exec(text(status))?.[1] ?? '';
  return { why: isAddressDead(code) ? 'bounced' : 'failed', token };
}
