import { Button, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { attempt, toast } from '../../ui/toast.js';
import { PasswordField } from './account-fields.js';
import classes from './account.module.css';

/** The proof of identity, with the field names of `PUT /auth/v1/user`. */
export const proofFields = {
  current_password: z.optional(z.string().check(z.minLength(1, 'Informe sua senha atual'))),
  nonce: z.optional(z.string().check(z.regex(/^\d{6}$/, 'Digite os 6 dígitos do e-mail'))),
};

interface PersonProofProps {
  byMail: boolean;
  onByMail: () => void;
  /** Props of the password field. */
  password: PasswordInputProps;
  /** Props of the field for the mailed code. */
  code: TextInputProps;
}

/** Fields for the password, or for a code of six digits that is mailed on request. */
export function PersonProof({ byMail, onByMail, password, code }: PersonProofProps) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const isSent = await attempt(
      async () => answered((await auth()).reauthenticate()),
      'Erro ao enviar o código',
    );
    setBusy(false);
    if (isSent) toast.success('Código enviado', { description: 'Validade de 10 minutos.' });
  };
  return byMail ? (
    <>
      <TextInput
        label="Código enviado por e-mail"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...code}
      />
      <Button className={classes.other} variant="subtle" size="sm" loading={busy} onClick={() => void send()}>
        Enviar código
      </Button>
    </>
  ) : (
    <>
      <PasswordField label="Sua senha" {...password} />
      <Button className={classes.other} variant="subtle" size="sm" onClick={onByMail}>
        Usar um código por e-mail
      </Button>
    </>
  );
}
