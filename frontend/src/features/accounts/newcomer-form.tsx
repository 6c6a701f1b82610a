import { Button, TextInput } from '@mantine/core';
import { cpf as cpfDigits } from 'cpf-cnpj-validator';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as z from 'zod/mini';
import {
  CPF_ALREADY_REGISTERED,
  type SignUpData,
  signUpData,
} from '../../../../backend/modules/accounts/accounts.api.js';
import {
  INVITE_NOT_VALID,
  type Invite,
  type InvitedData,
  invitedData,
} from '../../../../backend/modules/accounts/invites.api.js';
import { useBodyForm } from '../../lib/form.js';
import { maskPhone } from '../../lib/masks.js';
import { messageOf, ProblemError } from '../../lib/problem.js';
import { CpfField, DateTextField, PhoneField } from '../../ui/fields.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { signUpNewcomer } from './newcomer.js';

const hasCheckDigits = z.refine<{ cpf?: string | undefined }>(({ cpf }) => !cpf || cpfDigits.isValid(cpf), {
  error: 'CPF inválido',
  path: ['cpf'],
});
const ofTrainer: z.ZodMiniType<SignUpData | InvitedData> = signUpData.check(hasCheckDigits);
const ofInvited: z.ZodMiniType<SignUpData | InvitedData> = invitedData.check(hasCheckDigits);

interface NewcomerFormProps {
  ticket: string;
  /** As the provider tells it. */
  nome: string;
  /** Where the person goes on. */
  destination: string;
  /** Of somebody who follows an invite. */
  invited: { token: string; student: Invite['student'] } | null;
  /** The page's ticket is used, or over. */
  onOver: () => void;
}

/** What a provider does not tell; it makes the account. */
export function NewcomerForm({ ticket, nome, destination, invited, onOver }: NewcomerFormProps) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const form = useBodyForm({
    initialValues: {
      nome: nome || (invited?.student.nome ?? ''),
      cpf: '',
      data_nascimento: '',
      telefone: maskPhone(invited?.student.whatsapp ?? ''),
    },
    schema: invited ? ofInvited : ofTrainer,
    toBody: ({ data_nascimento, ...values }) => ({
      nome: values.nome.trim() || undefined,
      cpf: values.cpf || undefined,
      telefone: values.telefone || undefined,
      ...(invited ? { convite: invited.token } : { data_nascimento: data_nascimento || undefined }),
    }),
  });

  const refuse = (error: unknown) => {
    const code = error instanceof ProblemError ? error.code : '';
    if (code === CPF_ALREADY_REGISTERED) form.setFieldError('cpf', messageOf(error));
    else if (code === 'user_already_exists') toast.error('Usuário já cadastrado. Faça login.');
    else if (code === INVITE_NOT_VALID) toast.error('Convite inválido ou expirado');
    else if (code === 'flow_state_not_found' || code === 'bad_code_verifier') onOver();
    else toast.error('Erro ao criar conta. Tente novamente.');
  };

  const signUp = async (data: SignUpData | InvitedData) => {
    setBusy(true);
    try {
      await signUpNewcomer(ticket, data);
      toast.success('Conta criada com sucesso!');
      void navigate(destination, { replace: true });
    } catch (error) {
      refuse(error);
    }
    setBusy(false);
  };

  const optional = invited ? ' (opcional)' : '';
  return (
    <form className={classes.form} onSubmit={form.submit((body) => void signUp(body))} noValidate>
      <TextInput
        label="Nome"
        autoComplete="name"
        placeholder="Seu nome completo"
        {...form.getInputProps('nome')}
      />
      <CpfField label={`CPF${optional}`} {...form.getInputProps('cpf')} />
      {!invited && (
        <DateTextField
          label="Data de nascimento"
          autoComplete="bday"
          {...form.getInputProps('data_nascimento')}
        />
      )}
      <PhoneField
        label={invited ? `Telefone${optional}` : 'Celular'}
        autoComplete="tel-national"
        {...form.getInputProps('telefone')}
      />
      <Button type="submit" loading={busy}>
        Criar conta
      </Button>
    </form>
  );
}
