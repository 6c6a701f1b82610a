import { Button } from '@mantine/core';
import type { AuthMFAEnrollTOTPResponse, User } from '@supabase/auth-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { auth } from '../../lib/auth.js';
import { copyText } from '../../lib/clipboard.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { ButtonRow, SaveButton, submitting } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, toast } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import { refresh } from '../../lib/topics.js';
import { accountTopics } from './account.queries.js';
import classes from './account.module.css';
import { FactorCodeField, factorCode, showFactor } from './factor-code.js';
import { ProvePerson } from './prove-person.js';
import { RecoveryCodes, newRecoveryCodes } from './recovery-codes.js';

const LINKED = 'Verificação em duas etapas ativada';

type Enrolment = NonNullable<AuthMFAEnrollTOTPResponse['data']>;

/** Requests a new secret; unfinished ones are removed first. */
async function enrol(user: User): Promise<Enrolment> {
  const { mfa } = await auth();
  for (const { id, status } of user.factors ?? [])
    if (status !== 'verified') await answered(mfa.unenroll({ factorId: id }));
  return answered(mfa.enroll({ factorType: 'totp', issuer: 'Rende' }));
}

interface EnrolFactorProps {
  user: User;
  onClose: () => void;
}

/** Enrols an authenticator app: its secret, a first code, and recovery codes. */
export function EnrolFactor({ user, onClose }: EnrolFactorProps) {
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // Kept in this sheet only, because it is a secret.
  const enrolment = useQuery({
    queryKey: ['enrolment'],
    queryFn: () => enrol(user),
    // Whatever else is refreshed, the person is scanning this secret.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });

  const close = () => {
    // Only after the codes, because the toast would cover some of them.
    if (codes) toast.success(LINKED);
    void refresh(queries, accountTopics);
    onClose();
  };
  const linked = async () => {
    const made = await attempt(async () => setCodes(await newRecoveryCodes()), 'Erro ao gerar os códigos');
    if (made) return;
    toast.success(LINKED);
    close();
  };

  return (
    <Sheet
      opened
      onClose={close}
      title={codes ? 'Códigos de recuperação' : 'Ativar verificação'}
      withoutAddress
    >
      {codes ? (
        <RecoveryCodes codes={codes} onKept={close} />
      ) : codeOf(enrolment.error) === 'reauthentication_needed' ? (
        <ProvePerson onProved={() => enrolment.refetch()} />
      ) : (
        <Async of={enrolment} skeleton={<Skeletons count={1} height={320} />}>
          {(data) => <FirstCode enrolment={data} onLinked={linked} />}
        </Async>
      )}
    </Sheet>
  );
}

interface FirstCodeProps {
  enrolment: Enrolment;
  onLinked: () => Promise<void>;
}

function FirstCode({ enrolment: { id, totp }, onLinked }: FirstCodeProps) {
  const form = useBodyForm({ initialValues: { code: '' }, schema: factorCode, toBody: (values) => values });
  const copy = async () => {
    if (await copyText(totp.secret)) toast.success('Chave copiada');
    else toast.error('Não foi possível copiar', { description: 'Selecione a chave e copie.' });
  };

  return (
    <form
      noValidate
      onSubmit={submitting(form, {
        failure: 'Erro ao ativar',
        save: async ({ code }) => {
          await showFactor(id, code);
          await onLinked();
        },
      })}
    >
      <p className={classes.text}>
        Escaneie o QR Code com um aplicativo autenticador (Google Authenticator, Microsoft Authenticator,
        1Password…) ou copie a chave.
      </p>
      <img className={classes.qr} src={totp.qr_code} alt="QR Code para o aplicativo autenticador" />
      <div role="group" aria-label="Chave" className={classes.secret}>
        {totp.secret.match(/.{1,4}/g)?.join(' ')}
      </div>
      <ButtonRow>
        <Button variant="default" onClick={() => void copy()}>
          Copiar chave
        </Button>
        <Button component="a" variant="default" href={totp.uri}>
          Abrir no app
        </Button>
      </ButtonRow>
      <FactorCodeField
        label="Código de 6 dígitos"
        inputMode="numeric"
        maxLength={6}
        {...form.getInputProps('code')}
      />
      <Quiet size="xs">
        A cada login, depois da senha, vamos pedir um código. Os outros aparelhos serão desconectados.
      </Quiet>
      <SheetActions>
        <SaveButton busy={form.submitting}>Ativar</SaveButton>
      </SheetActions>
    </form>
  );
}
