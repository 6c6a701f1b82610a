import { Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { useState } from 'react';
import {
  isUsable,
  newWhatsApp,
  type NewWhatsApp,
  suggestions,
  type WhatsAppShown,
} from '../../../../backend/modules/whatsapp/whatsapp.api.js';
import { useAnswer } from '../../lib/answer.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';
import { StudentField } from '../../parts/student-field.js';
import { Card } from '../../ui/card.js';
import { ConnectionButtons } from '../../ui/connection-buttons.js';
import { FormStack, SaveButton, submitting } from '../../ui/form.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './whatsapp.module.css';

type Connected = NonNullable<WhatsAppShown['conexao']>;

const WHATSAPP = reads('whatsapp', ['settings', 'students']);

/** Messages that send themselves, by a number of the trainer at WhatsApp's API. */
export default function WhatsAppPage() {
  return (
    <Page title="WhatsApp automático" back="/ajustes" width="narrow">
      <Async
        of={useAnswer([WHATSAPP], 'GET /settings/whatsapp')}
        skeleton={<Skeletons count={1} height={320} />}
      >
        {({ conexao }) =>
          conexao ? (
            <>
              <Connection of={conexao} />
              <Kinds of={conexao} />
              <Unwilling of={conexao} />
              <Hook />
            </>
          ) : (
            <Connecting />
          )
        }
      </Async>
    </Page>
  );
}

/** What it costs and asks of the trainer, before anything is connected. */
function Terms() {
  return (
    <ul className={classes.terms}>
      <li>
        A Meta cobra de você por mensagem entregue, e mais pelas de marketing. Veja o preço na sua conta da
        Meta.
      </li>
      <li>Só envie a quem concordou em receber mensagens suas: pedir esse consentimento é dever seu.</li>
      <li>O número da API não pode estar em uso no aplicativo do WhatsApp.</li>
      <li>O que o aluno já recebe por e-mail não sai também pelo WhatsApp.</li>
      <li>Nada sai entre 20:00 e 8:00, e cada aluno recebe no máximo uma mensagem por dia.</li>
      <li>Quem responde SAIR não recebe mais. O que não é enviado continua pronto em Lembretes.</li>
    </ul>
  );
}

function Connecting() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Mensagens que saem sozinhas">
      <Card fields>
        <Quiet size="xs">
          Com um número da API oficial do WhatsApp (Meta), saem sozinhos o lembrete da véspera, com botões
          para o aluno confirmar, cobranças, recibos, créditos a vencer ou que acabaram, ofertas da lista de
          espera, turmas canceladas e mensagens de aniversário e a quem está sumindo. Você escolhe quais. Sem
          ele, tudo continua como hoje: a mensagem pronta, e você toca para enviar.
        </Quiet>
        <Terms />
        {open ? (
          <ConnectForm onClose={() => setOpen(false)} />
        ) : (
          <Button variant="default" onClick={() => setOpen(true)}>
            Conectar WhatsApp
          </Button>
        )}
      </Card>
    </Section>
  );
}

function ConnectForm({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useSend('PUT /settings/whatsapp');
  const form = useBodyForm({
    initialValues: { numero_id: '', conta_id: '', token_acesso: '', client_secret: '' },
    schema: newWhatsApp,
    toBody: (values) => values,
    // Token and secret are stored in no draft.
    draft: 'whatsapp',
  });
  const save = async (body: NewWhatsApp) => {
    await mutateAsync(body);
    form.discard();
    toast.success('WhatsApp conectado', { description: 'O teste da conexão leva alguns segundos.' });
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao conectar' })}>
      <TextInput
        label="Identificação do número de telefone"
        description="No painel da Meta: WhatsApp, Configuração da API."
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('numero_id')}
      />
      <TextInput
        label="Identificação da conta do WhatsApp Business"
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('conta_id')}
      />
      <PasswordInput
        label="Token de acesso"
        description="Permanente, de um usuário do sistema, com whatsapp_business_messaging e whatsapp_business_management."
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar o token de acesso' }}
        {...form.getInputProps('token_acesso')}
      />
      <PasswordInput
        label="Chave secreta do app"
        description="No painel da Meta: Configurações do app, Básico."
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Mostrar a chave secreta' }}
        {...form.getInputProps('client_secret')}
      />
      <Quiet size="xs">
        Guardamos tudo cifrado e nunca mostramos de novo. A Meta recebe o WhatsApp e o primeiro nome do aluno,
        o seu nome e o que a mensagem diz; nada mais.
      </Quiet>
      <SaveButton busy={form.submitting}>Conectar</SaveButton>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Cancelar
      </Button>
    </FormStack>
  );
}

function Connection({ of: { nome, numero, testado_em, falha, parada } }: { of: Connected }) {
  const zone = useZone();
  const [renewing, setRenewing] = useState(false);
  const testing = useSend('POST /settings/whatsapp/test');
  const removal = useSend('DELETE /settings/whatsapp');
  const restoration = useSend('POST /settings/whatsapp/restore');
  return (
    <Section title="Conexão">
      <Card fields>
        <p className={classes.state}>
          <strong>{nome ?? 'Número da API do WhatsApp'}</strong>
          {numero !== null && (
            <>
              <br />
              {numero}
            </>
          )}
          <br />
          {testado_em === null
            ? 'Ainda não respondeu'
            : `${falha === null ? 'Conexão em ordem' : 'Sem conexão'} · ${formatMoment(testado_em, zone)}`}
        </p>
        {falha !== null && (
          <p className={classes.failed} role="alert">
            O teste falhou: {falha}.
          </p>
        )}
        {parada !== null && (
          <p className={classes.failed} role="alert">
            O envio parou: {parada}. As mensagens esperam por você em Lembretes. Corrija na Meta e teste a
            conexão, ou troque o token.
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
            done: 'WhatsApp desconectado',
            effect: 'As mensagens voltam a esperar por você em Lembretes.',
          }}
        />
        {renewing ? (
          <ConnectForm onClose={() => setRenewing(false)} />
        ) : (
          <Button variant="subtle" onClick={() => setRenewing(true)}>
            Trocar o token ou o número
          </Button>
        )}
      </Card>
    </Section>
  );
}

function Kinds({ of }: { of: Connected }) {
  return (
    <Section title="O que sai sozinho">
      <Card fields>
        <Terms />
      </Card>
      {of.tipos.map((each) => (
        <Kind
          key={each.tipo}
          kind={each}
          known={of.modelos}
          wasRead={of.testado_em !== null && of.falha === null}
        />
      ))}
    </Section>
  );
}

function Kind({
  kind: { tipo, modelo, parado },
  known,
  wasRead,
}: {
  kind: Connected['tipos'][number];
  known: Connected['modelos'];
  /** The last test read the templates. */
  wasRead: boolean;
}) {
  const { mutateAsync, isPending } = useSend('PUT /settings/whatsapp/kind');
  const [shown, setShown] = useState(false);
  const { titulo, nome, categoria, texto, campos, botoes } = suggestions[tipo];
  const usable = known.filter((template) => isUsable(template, tipo)).map((template) => template.nome);
  const choices = modelo === null || usable.includes(modelo) ? usable : [modelo, ...usable];
  const set = (chosen: string | null) =>
    attempt(async () => {
      await mutateAsync({ tipo, modelo: chosen });
      toast.success(chosen === null ? 'Envio automático desativado' : 'Envio automático ativado', {
        ...takenBack(() => mutateAsync({ tipo, modelo })),
      });
    }, 'Erro ao salvar');
  return (
    <Card fields>
      <div className={classes.head}>
        <strong>{titulo}</strong>
        <Tag tone={modelo === null ? undefined : 'good'}>{modelo === null ? 'Desativado' : 'Ativo'}</Tag>
      </div>
      {parado !== null && (
        <p className={classes.failed} role="alert">
          Desativado: {parado}.
        </p>
      )}
      {choices.length === 0 ? (
        <Quiet size="xs">
          {wasRead
            ? `Nenhum modelo aprovado com ${campos.length} campos.`
            : 'Seus modelos aprovados aparecem aqui quando a conexão estiver em ordem.'}{' '}
          Crie na Meta um modelo de {categoria} em português (BR) com o texto abaixo; quando for aprovado,
          teste a conexão.
        </Quiet>
      ) : (
        <NativeSelect
          label="Modelo"
          data={[{ value: '', label: 'Não enviar' }, ...choices]}
          value={modelo ?? ''}
          disabled={isPending}
          onChange={({ currentTarget: { value } }) => void set(value || null)}
        />
      )}
      {shown || choices.length === 0 ? (
        <>
          <LongTextField label={`Texto para a Meta (${nome}, ${categoria})`} value={texto} readOnly />
          <Quiet size="xs">
            {campos.map((example, index) => `{{${index + 1}}} ${example}`).join(' · ')}
            {botoes.length > 0 && (
              <>
                <br />
                Botões de resposta rápida: {botoes.join(' e ')}
              </>
            )}
          </Quiet>
        </>
      ) : (
        <Button variant="subtle" onClick={() => setShown(true)}>
          Ver o texto para a Meta
        </Button>
      )}
    </Card>
  );
}

/** Students who get nothing by itself. */
function Unwilling({ of: { sem_mensagens } }: { of: Connected }) {
  const { mutateAsync } = useSendTo('PUT /students/:id/whatsapp-wish');
  const [adding, setAdding] = useState(false);
  const set = (id: string, recebe: boolean) =>
    attempt(async () => {
      await mutateAsync({ id, recebe });
      setAdding(false);
      toast.success(
        recebe ? 'Volta a receber mensagens automáticas' : 'Não recebe mais mensagens automáticas',
        {
          ...takenBack(() => mutateAsync({ id, recebe: !recebe })),
        },
      );
    }, 'Erro ao salvar');
  return (
    <Section title="Quem não recebe">
      <Card flush={sem_mensagens.length > 0}>
        {sem_mensagens.length === 0 && (
          <Quiet size="xs">Ninguém pediu para não receber. Quem responde SAIR aparece aqui.</Quiet>
        )}
        {sem_mensagens.map(({ id, nome }) => (
          <Row
            key={id}
            title={nome}
            actions={
              <Button
                size="sm"
                variant="subtle"
                aria-label={`Voltar a enviar a ${nome}`}
                onClick={() => void set(id, true)}
              >
                Voltar a enviar
              </Button>
            }
          />
        ))}
      </Card>
      {adding ? (
        <StudentField
          label="Quem não deve receber"
          value={null}
          except={sem_mensagens.map(({ id }) => id)}
          onChange={(id) => id !== null && void set(id, false)}
        />
      ) : (
        <Button variant="default" onClick={() => setAdding(true)}>
          Não enviar a um aluno
        </Button>
      )}
    </Section>
  );
}

/** What Meta is given so that it reports deliveries and answers. */
function Hook() {
  const [shown, setShown] = useState(false);
  return (
    <Section title="Entregas e respostas">
      <Card fields>
        <Quiet size="xs">
          No painel da Meta (WhatsApp, Configuração, Webhook), cadastre este endereço e este código, e assine
          o campo messages. Assim você vê o que foi entregue e lido, e a resposta do aluno confirma a sessão.
        </Quiet>
        {shown ? (
          <HookFacts />
        ) : (
          <Button variant="default" onClick={() => setShown(true)}>
            Ver endereço e código
          </Button>
        )}
      </Card>
    </Section>
  );
}

function HookFacts() {
  return (
    <Async
      of={useAnswer(['whatsapp-hook'], 'GET /settings/whatsapp/webhook')}
      skeleton={<Skeletons count={2} height={48} />}
    >
      {({ url, verificacao }) => (
        <>
          <LongTextField label="URL de retorno de chamada" minRows={1} value={url} readOnly />
          <LongTextField label="Código de verificação" minRows={1} value={verificacao} readOnly />
        </>
      )}
    </Async>
  );
}
