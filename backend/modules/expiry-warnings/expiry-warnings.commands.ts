import { derivedId } from '../../platform/derived-id.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { mailsOf } from '../../platform/mail/mail-limits.js';
import { creditAccount, usableLots } from '../credits/credit-account.js';
import { student } from '../students/student.js';
import { decidePrepare, decideSent, decideUnsent, expiryWarning } from './expiry-warning.js';

/** Credits of a student that expire after a day. */
export interface DueWarning {
  student_id: string;
  expira_em: string;
}

/** The id is derived from student and last day, so that preparing it twice makes one warning. */
export const warningIdOf = ({ student_id, expira_em }: DueWarning): string =>
  derivedId(`credits/${student_id}/${expira_em}`);

export const PrepareExpiryWarnings = defineCommand(
  'PrepareExpiryWarnings',
  { addresses: MailAddresses },
  async (tx, { addresses }, due: readonly DueWarning[]) => {
    const take = mailsOf(tx);
    await Promise.all(
      due.map(async (each) => {
        const warning_id = warningIdOf(each);
        const [known, account, who] = await Promise.all([
          tx.load(expiryWarning, warning_id),
          tx.load(creditAccount, each.student_id),
          tx.load(student, each.student_id),
        ]);
        if (who.status !== 'active' || who.nome === null) return;
        const lot = usableLots(account, tx.now).find(({ expira_em }) => expira_em === each.expira_em);
        if (!lot?.expires_at) return;
        const { expires_at } = lot;
        const prepared = { ...each, warning_id, expires_at, por_email: who.email !== null };
        if (decidePrepare(known, prepared).length === 0) return;
        const { student_id: personId } = each;
        const por_email =
          who.email !== null &&
          (await take({
            personId,
            addressHash: addresses.hashOf(who.email),
            cause: 'trainer',
            thing: `expiry/${warning_id}`,
          })) === null;
        tx.append(expiryWarning, warning_id, decidePrepare(known, { ...prepared, por_email }));
      }),
    );
    return { id: tx.context.tenantId };
  },
);

export const MarkExpiryWarningSent = defineCommand('MarkExpiryWarningSent', async (tx, id: string) => {
  tx.append(expiryWarning, id, decideSent(await tx.load(expiryWarning, id)));
  return { id };
});

export const MarkExpiryWarningUnsent = defineCommand('MarkExpiryWarningUnsent', async (tx, id: string) => {
  tx.append(expiryWarning, id, decideUnsent(await tx.load(expiryWarning, id)));
  return { id };
});
