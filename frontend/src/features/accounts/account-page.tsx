import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { type Profile, profileBody } from '../../../../backend/modules/accounts/profile.api.js';
import { useSend } from '../../lib/command.js';
import { accountOf, useSignedIn } from '../../lib/me.js';
import { useProfile } from '../../parts/profile.js';
import { Card } from '../../ui/card.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useBodyForm } from '../../lib/form.js';
import { SaveButton, submitting, FormStack } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast, takenBack } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { CpfField, DateTextField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { emailAddress, EmailField, newPassword, NewPasswordField, notGuessableOf } from './account-fields.js';
import classes from './account.module.css';
import { useAccountChange } from './use-account-change.js';
import { returnTo, useReturn } from './use-return.js';
import { PendingEmail } from './pending-email.js';
import { PersonProof, proofFields } from './person-proof.js';

/** The page "Conta": the profile, and the ways to sign in. */
export default function AccountPage() {
  const { back, security } = accountOf[useSignedIn().membership.role];
  const profile = useProfile();
  useReturn();
  return (
    <Page title="Conta" back={back} width="narrow">
      <Async of={profile} skeleton={<Skeletons count={3} height={160} />}>
        {(data) => (
          <>
            <Section title="Perfil">
              <ProfileForm profile={data} />
            </Section>
            <EmailSection profile={data} />
            <PasswordSection profile={data} />
            <Card flush>
              <Row to={security} title="Segurança" facts="Verificação em duas etapas, aparelhos e acessos" />
            </Card>
          </>
        )}
      </Async>
    </Page>
  );
}

/** The e-mail address, and its pending change. */
function EmailSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false);
  const { email, troca_de_email: change } = profile;
  return (
    <Section
      title="E-mail"
      action={
        !change && (
          <Button size="sm" variant="subtle" onClick={() => setChanging(true)}>
            Trocar e-mail
          </Button>
        )
      }
    >
      <Card flush>
        <Row title={email} facts="É com ele que você entra" />
        {change && <PendingEmail current={email} change={change} />}
      </Card>
      {changing && <ChangeEmail current={email} onClose={() => setChanging(false)} />}
    </Section>
  );
}

interface ChangeEmailProps {
  current: string;
  onClose: () => void;
}

function ChangeEmail({ current, onClose }: ChangeEmailProps) {
  const change = useAccountChange();
  const form = useBodyForm({
    initialValues: { email: '' },
    schema: z.object({
      email: emailAddress.check(
        z.refine((email) => email.toLowerCase() !== current, 'Este já é o seu e-mail'),
      ),
    }),
    toBody: ({ email }) => ({ email: email.trim() }),
  });

  return (
    <Sheet opened onClose={onClose} title="Trocar e-mail" beginsAtField withoutAddress>
      <form
        noValidate
        onSubmit={submitting(form, {
          failure: 'Erro ao trocar o e-mail',
          save: async (body) => {
            await change((client) =>
              answered(client.updateUser(body, { emailRedirectTo: returnTo({ email: 'confirmado' }) })),
            );
            toast.success('E-mails de confirmação enviados', {
              description: 'Confirme nos dois em até 10 minutos.',
            });
            onClose();
          },
        })}
      >
        <p className={classes.text}>
          Vamos enviar um e-mail para {current} e outro para o novo endereço. A troca só acontece depois que
          você confirmar os dois. Até lá, entre com o e-mail atual.
        </p>
        <EmailField
          label="Novo e-mail"
          autoComplete="email"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <SheetActions>
          <SaveButton busy={form.submitting}>Enviar confirmações</SaveButton>
        </SheetActions>
      </form>
    </Sheet>
  );
}

/** Form for the profile. The CPF can be set once. */
function ProfileForm({ profile }: { profile: Profile }) {
  const { nome, telefone, data_nascimento, cpf } = profile;
  const { mutateAsync } = useSend('PUT /account/profile');
  const form = useBodyForm({
    initialValues: {
      nome,
      telefone: maskPhone(telefone ?? ''),
      data_nascimento: data_nascimento ?? '',
      cpf: '',
    },
    schema: profileBody,
    toBody: (values) => ({
      nome: values.nome,
      telefone: values.telefone || null,
      data_nascimento: values.data_nascimento || null,
      cpf: values.cpf || undefined,
    }),
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar',
          save: async (body) => {
            await mutateAsync(body);
            const { cpf: _, ...se_ainda } = body;
            toast.success(
              'Perfil salvo',
              takenBack(() => mutateAsync({ nome, telefone, data_nascimento, se_ainda })),
            );
          },
        })}
      >
        <TextInput label="Nome" autoComplete="name" {...form.getInputProps('nome')} />
        <PhoneField label="Celular" autoComplete="tel" {...form.getInputProps('telefone')} />
        <DateTextField
          label="Data de nascimento"
          autoComplete="bday"
          {...form.getInputProps('data_nascimento')}
        />
        {cpf ? (
          <TextInput label="CPF" description="Não pode ser trocado" readOnly value={cpf} />
        ) : (
          <CpfField
            label="CPF"
            description="Depois de salvo, não pode ser trocado. Se já estiver em outra conta, avisamos por e-mail."
            {...form.getInputProps('cpf')}
          />
        )}
        <SaveButton busy={form.submitting}>Salvar perfil</SaveButton>
      </FormStack>
    </Card>
  );
}

function PasswordSection({ profile }: { profile: Profile }) {
  const [changing, setChanging] = useState(false);
  const title = profile.tem_senha ? 'Trocar senha' : 'Criar senha';
  return (
    <Section
      title="Senha"
      action={
        <Button size="sm" variant="subtle" onClick={() => setChanging(true)}>
          {title}
        </Button>
      }
    >
      <Card flush>
        <Row
          title={profile.tem_senha ? '••••••••' : 'Sem senha'}
          facts={
            profile.tem_senha
              ? 'Ao trocar, os outros aparelhos serão desconectados'
              : 'Hoje você entra pelo Google, pela Apple ou por e-mail'
          }
        />
      </Card>
      {changing && <ChangePassword title={title} profile={profile} onClose={() => setChanging(false)} />}
    </Section>
  );
}

interface ChangePasswordProps {
  title: string;
  profile: Profile;
  onClose: () => void;
}

/** Asks for the password or a mailed code: an unlocked screen alone must not be enough. */
function ChangePassword({ title, profile: { email, nome, tem_senha }, onClose }: ChangePasswordProps) {
  const change = useAccountChange();
  const [byMail, setByMail] = useState(!tem_senha);
  const form = useBodyForm({
    initialValues: { current_password: '', nonce: '', password: '' },
    schema: z.object({ ...proofFields, password: newPassword }).check(notGuessableOf({ email, nome })),
    toBody: ({ current_password, nonce, password }) => ({
      ...(byMail ? { nonce: nonce.trim() } : { current_password }),
      password,
    }),
  });

  return (
    <Sheet opened onClose={onClose} title={title} beginsAtField="typed" withoutAddress>
      <form
        noValidate
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar a senha',
          save: async ({ password, current_password, nonce }) => {
            await change((client) =>
              answered(
                client.updateUser({
                  password,
                  ...(current_password && { current_password }),
                  ...(nonce && { nonce }),
                }),
              ),
            );
            toast.success('Senha alterada', { description: 'Os outros aparelhos foram desconectados.' });
            onClose();
          },
        })}
      >
        <PersonProof
          byMail={byMail}
          onByMail={() => setByMail(true)}
          password={{ label: 'Senha atual', ...form.getInputProps('current_password') }}
          code={{ description: `Enviamos para ${email}`, ...form.getInputProps('nonce') }}
        />
        <NewPasswordField
          label="Nova senha"
          visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a nova senha' }}
          {...form.getInputProps('password')}
        />
        <Quiet size="xs">Os outros aparelhos serão desconectados.</Quiet>
        <SheetActions>
          <SaveButton busy={form.submitting}>{title}</SaveButton>
        </SheetActions>
      </form>
    </Sheet>
  );
}
