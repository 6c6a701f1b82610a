import { Button, Checkbox, TextInput } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useEffect, useRef, useState } from 'react';
import {
  consents,
  refusal,
  type Signable,
  signature,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { fill, withoutCpf } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { useBodyForm } from '../../lib/form.js';
import { maskPhone } from '../../lib/masks.js';
import { Card } from '../../ui/card.js';
import { CpfField, PhoneField } from '../../ui/fields.js';
import { FormStack, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { Notice } from '../../ui/notice.js';
import { Tag } from '../../ui/tag.js';
import { toast } from '../../ui/toast.js';
import { ContractText } from './contract-text.js';
import { useSigning, type Reader } from './contracts.queries.js';
import classes from './contracts.module.css';
import { SignedProof } from './signed-proof.js';
import { ownState } from './words.js';

interface SigningProps {
  contract: Signable;
  reader: Reader;
}

/** A contract to read and sign, or as it was signed. */
export function Signing({ contract, reader }: SigningProps) {
  const { estado, conteudo, prova } = contract;
  const isOpen = estado === 'enviado' || estado === 'aberto';
  const [cpf, setCpf] = useState('');
  const [isRead, setRead] = useState(false);
  const { mutate } = useSigning(reader);
  const isNew = estado === 'enviado' && reader.as !== 'trainer';

  useEffect(() => {
    if (isNew) mutate({ to: 'open' });
  }, [isNew, mutate]);

  const html = prova ? conteudo : /^[\d.-]{14}$/.test(cpf) ? fill(conteudo, { cpf }) : withoutCpf(conteudo);
  const { word, tone } = ownState(estado);
  return (
    <div className={classes.stack}>
      <div>
        <Tag tone={tone}>{word}</Tag>
      </div>
      <Paper html={html} onEnd={() => setRead(true)} />
      {prova && <SignedProof contract={contract} reader={reader} />}
      {isOpen && reader.as !== 'trainer' && (
        <SignForm contract={contract} reader={reader} isRead={isRead} onCpf={setCpf} />
      )}
      {estado === 'expirado' && (
        <Notice icon="clock" title="O prazo para assinar expirou">
          Peça um novo link ao seu personal.
        </Notice>
      )}
      {estado === 'cancelado' && (
        <Notice icon="close" title="O link de assinatura foi cancelado">
          Peça um novo link ao seu personal.
        </Notice>
      )}
      {estado === 'recusado' && <Notice icon="close" title="Contrato recusado" />}
    </div>
  );
}

/** The text, and word when its end was seen. */
function Paper({ html, onEnd }: { html: string; onEnd: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const seen = useRef(onEnd);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current();
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div className={classes.sheetOfPaper} tabIndex={0} role="region" aria-label="Texto do contrato">
      <ContractText html={html} />
      <div ref={end} className={classes.end} />
    </div>
  );
}

interface SignFormProps extends SigningProps {
  isRead: boolean;
  onCpf: (cpf: string) => void;
}

function SignForm({ contract, reader, isRead, onCpf }: SignFormProps) {
  const [declining, setDeclining] = useState(false);
  const { mutateAsync } = useSigning(reader);
  const form = useBodyForm({
    initialValues: {
      nome: '',
      cpf: '',
      telefone: maskPhone(contract.aluno?.whatsapp ?? ''),
      consent_data_processing: false,
      consent_terms: false,
    },
    schema: signature,
    toBody: (values) => ({ ...values, consentimento: consents.versao }),
  });
  const { cpf } = form.values;
  useEffect(() => onCpf(cpf), [cpf, onCpf]);

  if (declining) return <DeclineForm reader={reader} onBack={() => setDeclining(false)} />;
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async (body) => {
            await mutateAsync({ to: 'sign', ...body });
            toast.success('Contrato assinado com sucesso');
          },
          failure: 'Erro ao assinar contrato',
        })}
      >
        <TextInput label="Nome completo *" autoComplete="name" {...form.getInputProps('nome')} />
        <CpfField label="CPF *" {...form.getInputProps('cpf')} />
        <PhoneField label="Telefone *" {...form.getInputProps('telefone')} />
        <Checkbox
          label={consents.dados}
          {...form.getInputProps('consent_data_processing', { type: 'checkbox' })}
        />
        <Checkbox label={consents.termos} {...form.getInputProps('consent_terms', { type: 'checkbox' })} />
        <p className={classes.note}>{consents.metodo}</p>
        <p className={classes.note}>
          Ficam registrados a data e a hora, o endereço de rede sem a parte final e o navegador.
        </p>
        <p role="status" className={classes.note}>
          {!isRead && 'Leia o texto até o fim para assinar.'}
        </p>
        <Button type="submit" disabled={!isRead} loading={form.submitting}>
          Assinar contrato
        </Button>
        <Button variant="subtle" onClick={() => setDeclining(true)}>
          Recusar
        </Button>
      </FormStack>
    </Card>
  );
}

function DeclineForm({ reader, onBack }: { reader: Reader; onBack: () => void }) {
  const { mutateAsync } = useSigning(reader);
  const form = useBodyForm({
    initialValues: { motivo: '' },
    schema: refusal,
    toBody: (values) => values,
  });
  return (
    <Card>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async ({ motivo }) => {
            await mutateAsync({ to: 'decline', motivo });
            toast.success('Contrato recusado', { description: 'Seu personal vê o motivo.' });
          },
          failure: 'Erro ao recusar contrato',
        })}
      >
        <LongTextField label="Motivo *" {...form.getInputProps('motivo')} />
        <Button type="submit" loading={form.submitting}>
          Recusar contrato
        </Button>
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      </FormStack>
    </Card>
  );
}
