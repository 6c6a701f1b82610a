import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import {
  pixAccount,
  type PixAccount,
  type PixAccountChange,
  type PixKeyKind,
  type ShownPixAccount,
} from '../../../../backend/modules/charges/pix.api.js';
import { useSend } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { useSignedIn } from '../../lib/me.js';
import { Card } from '../../ui/card.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './charges.module.css';
import { ProviderSection } from './provider-section.js';
import { TermsSection } from './terms-section.js';
import { usePixHook } from './receivables.queries.js';
import { usePixAccount } from './charges.queries.js';

interface KeyKind {
  label: string;
  example: string;
  keyboard?: 'tel' | 'numeric' | 'email';
}

const kinds: Record<PixKeyKind, KeyKind> = {
  telefone: { label: 'Celular', example: '(11) 99999-9999', keyboard: 'tel' },
  cpf: { label: 'CPF', example: '000.000.000-00', keyboard: 'numeric' },
  // Newer CNPJs contain letters.
  cnpj: { label: 'CNPJ', example: '00.000.000/0000-00' },
  email: { label: 'E-mail', example: 'voce@exemplo.com.br', keyboard: 'email' },
  aleatoria: { label: 'Chave aleatória', example: '123e4567-e89b-12d3-a456-426655440000' },
};

/** The trainer's Pix key, from which payment pages generate their codes. */
export default function PixPage() {
  const { user } = useSignedIn();
  return (
    <Page title="Pix" back="/ajustes" width="narrow">
      <Async of={usePixAccount()} skeleton={<Skeletons count={1} height={320} />}>
        {({ conta }) => (
          <>
            <PixForm account={conta} name={user.nome} />
            <TermsSection />
            {conta && <ProviderSection />}
            {conta && <Hook />}
            {conta && (
              <Section title="Histórico">
                <History kind="pixkey" />
              </Section>
            )}
          </>
        )}
      </Async>
    </Page>
  );
}

/** The webhook of a payment provider: its address and the secret that it signs with. */
function Hook() {
  const [shown, setShown] = useState(false);
  return (
    <Section title="Aviso automático">
      <Card className={classes.pay}>
        <Quiet size="xs">
          Se o seu banco ou provedor avisa os Pix recebidos (webhook da API Pix), cadastre nele este endereço
          e este segredo: cada pagamento dá baixa na cobrança sozinho.
        </Quiet>
        {shown ? (
          <HookFacts />
        ) : (
          <Button variant="default" onClick={() => setShown(true)}>
            Ver endereço e segredo
          </Button>
        )}
      </Card>
    </Section>
  );
}

function HookFacts() {
  const replace = useSend('POST /settings/pix/webhook/secret');
  const zone = useZone();
  const send = () =>
    attempt(async () => {
      await replace.mutateAsync();
      toast.success('Segredo trocado', {
        description: 'Cadastre o novo no provedor. O anterior funciona por mais 3 dias.',
      });
    }, 'Erro ao trocar o segredo');
  return (
    <Async of={usePixHook()} skeleton={<Skeletons count={2} height={48} />}>
      {({ url, segredo, anterior_ate }) => (
        <>
          <LongTextField label="Endereço" minRows={1} value={url} readOnly />
          <LongTextField
            label="Segredo"
            minRows={1}
            description="Para o suporte do provedor: assina o corpo com HMAC-SHA256, no cabeçalho x-signature."
            value={segredo}
            readOnly
          />
          {anterior_ate && (
            <Quiet size="xs">{`O segredo anterior vale até ${formatMoment(anterior_ate, zone)}.`}</Quiet>
          )}
          <Button
            variant="default"
            loading={replace.isPending}
            onClick={() => void send()}
            leftSection={<Icon name="renew" size={18} />}
          >
            Trocar segredo
          </Button>
        </>
      )}
    </Async>
  );
}

/** Keys that are longer than a line of a phone. */
const LONG_KEYS: ReadonlySet<PixKeyKind> = new Set(['email', 'aleatoria']);

/** A key in as many lines as it needs; Enter does not begin another one. */
const LongKeyField = (props: ComponentProps<typeof LongTextField>) => (
  <LongTextField
    minRows={1}
    onKeyDown={(event) => {
      if (event.key === 'Enter') event.preventDefault();
    }}
    {...props}
  />
);

const NO_KEY = { tipo: null, chave: null, nome: null, cidade: null, banco: null };

function PixForm({ account, name }: { account: ShownPixAccount['conta']; name: string }) {
  const set = useSend('PUT /settings/pix');
  const remove = useSend('POST /settings/pix/remove');
  const before = account && { ...account };
  const form = useBodyForm({
    initialValues: {
      tipo: account?.tipo ?? 'telefone',
      chave: account?.chave ?? '',
      nome: account?.nome ?? name.slice(0, 25),
      cidade: account?.cidade ?? '',
      banco: account?.banco ?? '',
    },
    schema: pixAccount,
    toBody: (values) => values,
    draft: 'pix',
  });
  const undo = async (se_ainda: PixAccountChange['se_ainda']) => {
    await (before ? set.mutateAsync({ ...before, se_ainda }) : remove.mutateAsync({ se_ainda }));
  };

  const save = async (body: PixAccount) => {
    await set.mutateAsync(body);
    toast.success(
      'Chave Pix salva',
      takenBack(() => undo(body)),
    );
  };
  const takeAway = () =>
    attempt(async () => {
      await remove.mutateAsync({});
      toast.success('Chave Pix removida', {
        description: 'As páginas de pagamento mostram só o valor.',
        ...takenBack(() => undo(NO_KEY), 'Remoção desfeita'),
      });
    }, 'Erro ao remover a chave Pix');

  const KeyField = LONG_KEYS.has(form.values.tipo) ? LongKeyField : TextInput;
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar a chave Pix' })}>
      <Section title="Sua chave Pix">
        <Card className={classes.pay}>
          <NativeSelect
            label="Tipo da chave"
            data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
            {...form.getInputProps('tipo')}
          />
          <KeyField
            label="Chave"
            placeholder={kinds[form.values.tipo].example}
            inputMode={kinds[form.values.tipo].keyboard}
            autoCapitalize="none"
            autoComplete="off"
            {...form.getInputProps('chave')}
          />
          <TextInput
            label="Nome de quem recebe"
            description="Até 25 letras, como aparece no banco de quem paga."
            maxLength={25}
            {...form.getInputProps('nome')}
          />
          <TextInput label="Cidade" maxLength={15} {...form.getInputProps('cidade')} />
          <TextInput
            label="Banco da chave (opcional)"
            description="O aluno confere na página de pagamento antes de pagar."
            maxLength={40}
            {...form.getInputProps('banco')}
          />
          <Quiet size="xs">
            O código Pix de cada cobrança usa esta chave. Confira com um pagamento pequeno antes de enviar aos
            alunos.
          </Quiet>
        </Card>
      </Section>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
      {account && (
        <Button
          variant="light"
          color="red"
          loading={remove.isPending}
          onClick={() => void takeAway()}
          leftSection={<Icon name="trash" size={18} />}
        >
          Remover a chave
        </Button>
      )}
    </FormStack>
  );
}
