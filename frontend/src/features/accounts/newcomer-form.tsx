import { Button } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import * as z from 'zod/mini';
import { type SignUpData, signUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import {
  INVITE_NOT_VALID,
  type Invite,
  type InvitedData,
  invitedData,
} from '../../../../backend/modules/accounts/invites.api.js';
import { requiredTerms } from '../../../../backend/modules/general-terms/general-terms.api.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { signUpNewcomer } from './newcomer.js';
import {
  agreement,
  emptyOf,
  filled,
  InvitedFields,
  NameField,
  TermsField,
  TRAINER_FIELDS,
  TrainerFields,
} from './person-fields.js';

type Registration = SignUpData | InvitedData;

const newTrainer = z.extend(signUpData, { termos: requiredTerms });
const invitedNewcomer = z.extend(invitedData, { termos: requiredTerms });

/** Complete messages for some errors. */
const refusals: Readonly<Record<string, string>> = {
  user_already_exists: 'Usuário já cadastrado. Faça login.',
  [INVITE_NOT_VALID]: 'Convite inválido ou expirado',
};

interface NewcomerFormProps {
  ticket: string;
  /** The name from the provider. */
  nome: string;
  /** Path to go to afterwards. */
  destination: string;
  /** The invite that the person follows, if any. */
  invited: { token: string; student: Invite['student'] } | null;
  /** Called if the ticket is used or expired. */
  onOver: () => void;
}

/** Form for the fields that the provider does not give; creates the account. */
export function NewcomerForm({ ticket, nome, destination, invited, onOver }: NewcomerFormProps) {
  const navigate = useNavigate();
  const form = useBodyForm({
    initialValues: {
      nome: nome || (invited?.student.nome ?? ''),
      cpf: '',
      data_nascimento: '',
      telefone: '',
      termos: false,
    },
    schema: invited ? invitedNewcomer : newTrainer,
    toBody: ({ termos, ...values }) => ({
      ...filled(values),
      ...agreement(termos),
      ...(invited && { convite: invited.token }),
    }),
    check: (values) => emptyOf(invited ? ['nome'] : TRAINER_FIELDS, values),
  });

  const register = async (data: Registration) => {
    try {
      await signUpNewcomer(ticket, data);
    } catch (error) {
      if (!['flow_state_not_found', 'bad_code_verifier'].includes(codeOf(error) ?? '')) throw error;
      return onOver();
    }
    toast.success('Conta criada com sucesso!');
    return navigate(destination, { replace: true });
  };

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save: register,
        failure: 'Erro ao criar conta. Tente novamente.',
        says: (error) => refusals[codeOf(error) ?? ''],
      })}
    >
      <NameField form={form} />
      {invited ? <InvitedFields form={form} /> : <TrainerFields form={form} />}
      <TermsField form={form} />
      <Button type="submit" loading={form.submitting}>
        Criar conta
      </Button>
    </FormStack>
  );
}
