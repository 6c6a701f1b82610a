import { describe, expect, it } from '@jest/globals';
import { isAddressDead, readMailReport } from './mail-reports.js';

const RETURNED = `From: Rende <nao-responda@rende.example>
To: ana@exemplo.com.br
Subject: Recibo
List-Unsubscribe: <https://rende.example/avisos/abc_DEF-123>
List-Unsubscribe-Post: List-Unsubscribe=One-Click`;

const report = (
  kind: string,
  said: string,
  [type, returned] = ['message/rfc822', `${RETURNED}\n\nOi, Ana!`],
) => {
  const lines = `From: MAILER-DAEMON@mx.example
To: nao-responda@rende.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${kind}; boundary="b"

--b
Content-Type: text/plain

It did not work. https://rende.example/avisos/typed-by-somebody
--b
Content-Type: message/${kind}

${said}
--b
Content-Type: ${type}

${returned}
--b--
`;
  return readMailReport(Buffer.from(lines.replaceAll('\n', '\r\n')));
};
const delivery = (action: string, status: string) =>
  report(
    'delivery-status',
    `Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ana@exemplo.com.br\nAction: ${action}\nStatus: ${status}`,
  );
const complaint = (type: string) =>
  report('feedback-report', `Feedback-Type: ${type}\nUser-Agent: Exemplo/1.0\nVersion: 1`);
const token = 'abc_DEF-123';

describe('a notice about a mail', () => {
  it('tells a dead address from one mail that was refused, and says nothing while the server still tries', async () => {
    expect(await delivery('failed', '5.1.1')).toEqual({ why: 'bounced', token });
    expect(await delivery('failed', '5.7.1')).toEqual({ why: 'failed', token });
    expect(await delivery('failed', '4.4.7')).toEqual({ why: 'failed', token });
    expect(await delivery('delayed', '4.4.1')).toBeNull();
    expect(await delivery('delivered', '2.0.0')).toBeNull();
  });

  it('is a complaint where the recipient reported it, not where they took that back', async () => {
    expect(await complaint('abuse')).toEqual({ why: 'complained', token });
    expect(await complaint('not-spam')).toBeNull();
  });

  it('returns the mail, or its headers alone', async () => {
    const said = 'Action: failed\nStatus: 5.1.1';
    for (const type of ['text/rfc822-headers', 'message/rfc822'])
      expect(await report('delivery-status', said, [type, RETURNED])).toEqual({ why: 'bounced', token });
    const quoted = `Subject: Oi\n\n${RETURNED}`;
    expect(await report('delivery-status', said, ['message/rfc822', quoted])).toBeNull();
  });

  it('is nothing in any other mail', async () => {
    for (const mail of [
      '',
      'Subject: Férias\r\n\r\nVolto dia 7.',
      `${RETURNED}\n\nAction: failed`,
      '\0\xff--b',
    ])
      expect(await readMailReport(Buffer.from(mail, 'latin1'))).toBeNull();
  });
});

it('an address is dead if it is unknown or closed, not if it is full or the sender is refused', () => {
  expect(['5.1.1', '5.1.10', '5.2.1'].every(isAddressDead)).toBe(true);
  expect(['5.1.8', '5.2.2', '5.7.1', '4.1.1', '5.1.11'].some(isAddressDead)).toBe(false);
});
