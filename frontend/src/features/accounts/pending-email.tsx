import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Profile } from '../../../../backend/modules/accounts/profile.api.js';
import { verifyAside } from '../../lib/auth.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { ButtonRow, submitting } from '../../ui/form.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './account.module.css';
import { answered } from '../../lib/auth-refusals.js';
import { useAccountChange } from './use-account-change.js';
import { returnTo } from './use-return.js';

interface PendingEmailProps {
  current: string;
  change: NonNullable<Profile['troca_de_email']>;
}

/** The unconfirmed mails of a change of address, with buttons to send them again or to cancel the change. */
export function PendingEmail({ current, change: asked }: PendingEmailProps) {
  const zone = useZone();
  const change = useAccountChange();
  const [busy, setBusy] = useState<'resend' | 'cancel' | null>(null);

  const resend = async () => {
    setBusy('resend');
    await attempt(async () => {
      const options = { emailRedirectTo: returnTo({ email: 'confirmado' }) };
      await change((client) => answered(client.resend({ type: 'email_change', email: current, options })));
      toast.success('E-mails reenviados', {
        description: 'Os anteriores expiraram. Confirme nos dois em até 10 minutos.',
      });
    }, 'Erro ao reenviar');
    setBusy(null);
  };

  const cancel = async () => {
    setBusy('cancel');
    await attempt(async () => {
      await change((client) => answered(client.updateUser({ email: current })));
      toast.success('Troca cancelada', { description: `Você continua entrando com ${current}.` });
    }, 'Erro ao cancelar a troca');
    setBusy(null);
  };

  return (
    <div className={classes.pending} role="group" aria-label="Troca de e-mail">
      <p className={classes.text}>
        Troca para <strong>{asked.email}</strong>, pedida {formatMoment(asked.pedida_em, zone)}. Abra o link
        nos dois e-mails ou digite os códigos aqui.
      </p>
      <Confirmation address={current} done={asked.atual_confirmado} />
      <Confirmation address={asked.email} done={asked.novo_confirmado} />
      <ButtonRow>
        <Button variant="default" loading={busy === 'resend'} onClick={() => void resend()}>
          Reenviar e-mails
        </Button>
        <Button variant="default" loading={busy === 'cancel'} onClick={() => void cancel()}>
          Cancelar troca
        </Button>
      </ButtonRow>
    </div>
  );
}

function Confirmation({ address, done }: { address: string; done: boolean }) {
  return (
    <div className={classes.confirmation}>
      <div className={classes.address}>
        <span>{address}</span>
        {done ? (
          <Tag tone="good" icon="check">
            Confirmado
          </Tag>
        ) : (
          <Tag icon="clock" outlined>
            Aguardando
          </Tag>
        )}
      </div>
      {!done && <CodeForm address={address} />}
    </div>
  );
}

function CodeForm({ address }: { address: string }) {
  const change = useAccountChange();
  const form = useBodyForm({
    initialValues: { token: '' },
    schema: z.object({ token: z.string().check(z.regex(/^\d{6}$/, 'Digite os 6 dígitos do e-mail')) }),
    toBody: ({ token }) => ({ token: token.trim() }),
  });
  return (
    <form
      noValidate
      className={classes.code}
      onSubmit={submitting(form, {
        failure: 'Erro ao confirmar',
        save: async ({ token }) => {
          await change(async (client) => {
            await answered(verifyAside({ type: 'email_change', email: address, token }));
            await client.refreshSession();
          });
          toast.success('E-mail confirmado');
        },
      })}
    >
      <TextInput
        aria-label={`Código enviado para ${address}`}
        placeholder="Código do e-mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...form.getInputProps('token')}
      />
      <Button type="submit" variant="light" loading={form.submitting}>
        Confirmar
      </Button>
    </form>
  );
}
