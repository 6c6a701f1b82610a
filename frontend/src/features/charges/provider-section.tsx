import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useState } from 'react';
import {
  newPixProvider,
  type NewPixProvider,
  type PixProviderShown,
} from '../../../../backend/modules/charges/pix-provider.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useAnswer } from '../../lib/answer.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { useZone } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ConnectionButtons } from '../../ui/connection-buttons.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';
import classes from './charges.module.css';

type Connected = NonNullable<PixProviderShown['conexao']>;

/** The provider that creates charges' codes and reports their payments. */
export function ProviderSection() {
  return (
    <Section title="Recebimento automático">
      <Card className={classes.pay}>
        <Quiet size="xs">
          Conecte a API Pix do seu banco ou provedor: cada cobrança ganha um código Pix próprio, e o pagamento
          dá baixa sozinho, mesmo que o aviso se perca.
        </Quiet>
        <Async of={usePixProvider()} skeleton={<Skeletons count={1} height={48} />}>
          {({ conexao }) => (conexao ? <Connection of={conexao} /> : <Connecting />)}
        </Async>
      </Card>
    </Section>
  );
}

function Connecting() {
  const [open, setOpen] = useState(false);
  if (open) return <ConnectForm onClose={() => setOpen(false)} />;
  return (
    <Button variant="default" onClick={() => setOpen(true)}>
      Conectar provedor
    </Button>
  );
}

const orNull = (typed: string) => (typed.trim() === '' ? null : typed);

function ConnectForm({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useConnectProvider();
  const form = useBodyForm({
    initialValues: {
      url_api: '',
      url_token: '',
      client_id: '',
      client_secret: '',
      certificado: '',
      chave_privada: '',
    },
    schema: newPixProvider,
    toBody: ({ certificado, chave_privada, ...values }) => ({
      ...values,
      certificado: orNull(certificado),
      chave_privada: orNull(chave_privada),
    }),
    // Secret, certificate and private key are stored in no draft.
    draft: 'pix-provedor',
  });
  const save = async (body: NewPixProvider) => {
    await mutateAsync(body);
    form.discard();
    toast.success('Provedor conectado', { description: 'O teste da conexão leva alguns segundos.' });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao conectar' })}>
      <TextInput
        label="Endereço da API Pix"
        placeholder="https://api.provedor.com.br/pix/v2"
        inputMode="url"
        autoComplete="off"
        {...form.getInputProps('url_api')}
      />
      <TextInput
        label="Endereço do token (OAuth 2)"
        placeholder="https://api.provedor.com.br/oauth/token"
        inputMode="url"
        autoComplete="off"
        {...form.getInputProps('url_token')}
      />
      <TextInput label="Client ID" autoComplete="off" {...form.getInputProps('client_id')} />
      <PasswordInput
        label="Client Secret"
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar o Client Secret' }}
        {...form.getInputProps('client_secret')}
      />
      <Textarea
        label="Certificado do cliente (opcional)"
        description="Em PEM, se o provedor pedir (mTLS)."
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={2}
        maxRows={4}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('certificado')}
      />
      <Textarea
        label="Chave privada do certificado (opcional)"
        description="Em PEM, sem senha."
        placeholder="-----BEGIN PRIVATE KEY-----"
        autosize
        minRows={2}
        maxRows={4}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('chave_privada')}
      />
      <Quiet size="xs">
        Guardamos tudo cifrado e nunca mostramos de novo. O provedor recebe o valor, a descrição da cobrança e
        a sua chave Pix; nada mais do aluno.
      </Quiet>
      <SaveButton busy={form.submitting}>Conectar</SaveButton>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Cancelar
      </Button>
    </FormStack>
  );
}

function Connection({ of }: { of: Connected }) {
  const { servidor, testado_em, falha, codigos, falharam } = of;
  const zone = useZone();
  const testing = useTestProvider();
  const removal = useDisconnectProvider();
  const restoration = useReconnectProvider();
  return (
    <>
      <p className={classes.state}>
        <strong>{servidor}</strong>
        <br />
        {testado_em === null
          ? 'Ainda não respondeu'
          : falha === null
            ? `Conexão em ordem · ${formatMoment(testado_em, zone)}`
            : `Sem conexão · ${formatMoment(testado_em, zone)}`}
        <br />
        {plural(codigos, 'cobrança com código do provedor', 'cobranças com código do provedor')}
      </p>
      {falha !== null && (
        <p className={classes.failed} role="alert">
          Não foi possível usar o provedor: {falha}.
        </p>
      )}
      {falha === null && falharam > 0 && (
        <p className={classes.failed} role="alert">
          {plural(falharam, 'cobrança ficou', 'cobranças ficaram')} com o código da sua chave, porque o
          provedor não criou ou não alterou o dele. O motivo está na página de cada cobrança.
        </p>
      )}
      <ConnectionButtons
        renew={{
          by: testing,
          label: 'Testar conexão',
          done: 'Testando a conexão',
          failure: 'Erro ao testar a conexão',
        }}
        removal={{
          by: removal,
          undoneBy: restoration,
          done: 'Provedor desconectado',
          effect: 'As cobranças voltam ao código da sua chave.',
        }}
      />
    </>
  );
}

const PROVIDER = reads('pix-provider', ['settings', 'charges']);

const usePixProvider = () => useAnswer([PROVIDER], 'GET /settings/pix/provider');

const useConnectProvider = () => useSend('PUT /settings/pix/provider');

const useDisconnectProvider = () => useSend('DELETE /settings/pix/provider');

const useReconnectProvider = () => useSend('POST /settings/pix/provider/restore');

const useTestProvider = () => useSend('POST /settings/pix/provider/test');
