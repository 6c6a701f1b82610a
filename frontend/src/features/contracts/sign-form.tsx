import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useNetwork } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { guardianRole, roleInWords } from '../../../../backend/modules/contracts/age.api.js';
import {
  consents,
  type Signable,
  signature,
  refusal,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';
import { todayIn } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { CpfField, DateTextField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Quiet } from '../../ui/quiet.js';
import { toast } from '../../ui/toast.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { type Reader, useSigning } from './contracts.queries.js';
import classes from './contracts.module.css';
import { MailedCode } from './mailed-code.js';

interface SignFormProps {
  contract: Signable;
  reader: Reader;
  isRead: boolean;
  onCpf: (cpf: string) => void;
}

/** Kept on going back and on a reload: documents are kept nowhere, and what is agreed to is ticked by the person. */
type Typed = Record<'nome' | 'telefone' | 'responsavel_nome' | 'relacao', string>;

export function SignForm({ contract, reader, isRead, onCpf }: SignFormProps) {
  const [declining, setDeclining] = useState(false);
  const [motivo, setMotivo] = useState('');
  const { mutateAsync } = useSigning(reader);
  const { online } = useNetwork();
  const today = todayIn(useZone());
  const roleOf = (typed: string) => {
    const byDate = guardianRole(/^\d{4}-\d{2}-\d{2}$/.test(typed) ? typed : null, today);
    const roles = [byDate, contract.papel_responsavel];
    return roles.find((role) => role === 'representa') ?? roles.find((role) => role !== null) ?? null;
  };
  const draft = `assinar.${reader.id}`;
  const [proposed] = useState<Typed>({
    nome: contract.aluno?.nome ?? '',
    telefone: maskPhone(contract.aluno?.whatsapp ?? ''),
    responsavel_nome: '',
    relacao: '',
  });
  const [typed] = useState(() => ({ ...proposed, ...readDraft<Typed>(draft) }));
  const form = useBodyForm({
    initialValues: {
      nome: typed.nome,
      cpf: '',
      telefone: typed.telefone,
      nascimento: '',
      responsavel: { nome: typed.responsavel_nome, cpf: '', nascimento: '', relacao: typed.relacao },
      codigo: '',
      consent_data_processing: false,
      consent_terms: false,
    },
    schema: signature,
    toBody: ({ nascimento, responsavel, codigo, ...values }) => ({
      ...values,
      nascimento: contract.responsavel ? nascimento : null,
      responsavel: roleOf(nascimento) === null ? null : responsavel,
      codigo: codigo || null,
      consentimento: consents.versao,
    }),
  });
  const { nome, telefone, responsavel, cpf, nascimento, codigo } = form.values;
  const role = roleOf(nascimento);
  const isOfStudent = contract.responsavel || role !== null;
  useEffect(() => onCpf(cpf), [cpf, onCpf]);
  const { nome: responsavel_nome, relacao } = responsavel;
  useEffect(() => {
    const kept = Object.entries({ nome, telefone, responsavel_nome, relacao });
    const changed = kept.filter(([name, value]) => value !== proposed[name as keyof Typed]);
    writeDraft(draft, Object.fromEntries(changed));
  }, [draft, proposed, nome, telefone, responsavel_nome, relacao]);

  const whatsapp = contract.aluno?.whatsapp;
  const proposePhone = useEffectEvent((number: string) => {
    if (telefone === '') form.setFieldValue('telefone', maskPhone(number));
  });
  // The copy on the device, which is shown first, has no phone.
  useEffect(() => {
    if (whatsapp) proposePhone(whatsapp);
  }, [whatsapp]);

  if (declining) {
    const onBack = (typed: string) => {
      setMotivo(typed);
      setDeclining(false);
    };
    return <DeclineForm reader={reader} motivo={motivo} onBack={onBack} />;
  }
  const missing = !isRead
    ? 'Leia o texto até o fim para assinar.'
    : contract.codigo_email && codigo === ''
      ? 'Confirme o código enviado por e-mail para assinar.'
      : '';
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async (body) => {
            await mutateAsync({ to: 'sign', ...body });
            writeDraft(draft, {});
            toast.success('Contrato assinado com sucesso');
          },
          failure: 'Erro ao assinar contrato',
        })}
      >
        <TextInput
          label={isOfStudent ? 'Nome completo do aluno *' : 'Nome completo *'}
          autoComplete="name"
          {...form.getInputProps('nome')}
        />
        {contract.responsavel && (
          <DateTextField
            label="Data de nascimento do aluno *"
            autoComplete="bday"
            {...form.getInputProps('nascimento')}
          />
        )}
        <CpfField label={isOfStudent ? 'CPF do aluno *' : 'CPF *'} {...form.getInputProps('cpf')} />
        {role !== null && (
          <fieldset className={classes.guardian}>
            <legend>Responsável</legend>
            <Quiet size="sm">{roleInWords[role]}</Quiet>
            <TextInput label="Nome completo do responsável *" {...form.getInputProps('responsavel.nome')} />
            <CpfField label="CPF do responsável *" {...form.getInputProps('responsavel.cpf')} />
            <DateTextField
              label="Data de nascimento do responsável *"
              {...form.getInputProps('responsavel.nascimento')}
            />
            <TextInput
              label="Relação com o aluno *"
              placeholder="Mãe, pai, tutor"
              {...form.getInputProps('responsavel.relacao')}
            />
          </fieldset>
        )}
        <PhoneField label="Telefone *" autoComplete="tel" {...form.getInputProps('telefone')} />
        {contract.codigo_email && (
          <MailedCode
            reader={reader}
            state={contract.codigo_email}
            onConfirmed={(confirmed) => form.setFieldValue('codigo', confirmed)}
          />
        )}
        <Checkbox
          label={consents.dados}
          {...form.getInputProps('consent_data_processing', { type: 'checkbox' })}
        />
        <Checkbox label={consents.termos} {...form.getInputProps('consent_terms', { type: 'checkbox' })} />
        <Quiet size="sm">{consents.metodo}</Quiet>
        <Quiet size="sm">
          Ficam registrados a data e a hora, o endereço IP sem a parte final e o navegador.
        </Quiet>
        <Quiet size="sm" role="status">
          {missing}
        </Quiet>
        <Button type="submit" disabled={missing !== '' || !online} loading={form.submitting}>
          Assinar contrato
        </Button>
        <Button variant="subtle" onClick={() => setDeclining(true)}>
          Recusar
        </Button>
      </FormStack>
    </Card>
  );
}

interface DeclineFormProps {
  reader: Reader;
  /** The text that was typed before going back. */
  motivo: string;
  onBack: (motivo: string) => void;
}

function DeclineForm({ reader, motivo, onBack }: DeclineFormProps) {
  const { mutateAsync } = useSigning(reader);
  const form = useBodyForm({
    initialValues: { motivo },
    schema: refusal,
    toBody: (values) => values,
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async (body) => {
            await mutateAsync({ to: 'decline', ...body });
            toast.success('Contrato recusado', { description: 'Seu personal vê o motivo.' });
          },
          failure: 'Erro ao recusar contrato',
        })}
      >
        <LongTextField label="Motivo *" {...form.getInputProps('motivo')} />
        <Button type="submit" loading={form.submitting}>
          Recusar contrato
        </Button>
        <Button variant="default" onClick={() => onBack(form.values.motivo)}>
          Voltar
        </Button>
      </FormStack>
    </Card>
  );
}
