import { Button, NativeSelect } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  type Contract,
  LINK_DAYS,
  type SignatureRequest,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { copyText } from '../../lib/clipboard.js';
import { useSendTo } from '../../lib/command.js';
import { formatMoment } from '../../lib/dates.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { useZone } from '../../lib/zone.js';
import { History } from '../../parts/history.js';
import { Card, CardList, ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { ContractText } from './contract-text.js';
import { useContract, useRemindSigner, useRequests, useSendContract } from './contracts.queries.js';
import classes from './contracts.module.css';
import { marked } from './field-chips.js';
import { SendSheet } from './send-sheet.js';
import { isToSign, kinds, states } from './words.js';

const VersionComparison = lazy(() => whenReachable(() => import('./version-comparison.js')));

/** A contract with its versions and its requests. */
export default function ContractDetail() {
  const { id = '' } = useParams();
  const contract = useContract(id);
  const { data } = contract;
  return (
    <Page
      title={data?.titulo ?? 'Contrato'}
      back="/ajustes/contratos-termos"
      subtitle={data && `${kinds[data.tipo]} · ${plural(data.assinaturas, 'assinatura', 'assinaturas')}`}
    >
      <Async
        of={contract}
        skeleton={<Skeletons count={2} height={200} />}
        failure="Erro ao carregar contratos"
      >
        {(shown) => <Shown contract={shown} />}
      </Async>
    </Page>
  );
}

function Shown({ contract }: { contract: Contract }) {
  const [sending, setSending] = useState(false);
  return (
    <div className={classes.stack}>
      <div className={classes.buttons}>
        {contract.is_active ? (
          <Button onClick={() => setSending(true)}>Enviar para assinar</Button>
        ) : (
          <Tag icon="archive">Inativo</Tag>
        )}
        <Button
          component={Link}
          to={`/ajustes/contratos-termos/${contract.id}/editar`}
          variant="default"
          leftSection={<Icon name="edit" size={18} />}
        >
          Editar
        </Button>
      </div>
      <Requests id={contract.id} />
      <Versions contract={contract} />
      <Section title="Histórico">
        <Card>
          <History kind="contract" id={contract.id} />
        </Card>
      </Section>
      <SendSheet contract={contract} opened={sending} onClose={() => setSending(false)} />
    </div>
  );
}

function Versions({ contract: { versoes } }: { contract: Contract }) {
  const [chosen, setChosen] = useState(versoes[0]!.versao);
  const [other, setOther] = useState<number | null>(null);
  const before = versoes.find(({ versao }) => versao === other && versao !== chosen);
  const shown = versoes.find(({ versao }) => versao === chosen) ?? versoes[0]!;
  return (
    <Section title="Texto">
      <Card>
        <div className={classes.stack}>
          {versoes.length > 1 && (
            <NativeSelect
              label="Versão"
              value={String(shown.versao)}
              onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
              data={versoes.map(({ versao, assinaturas }) => ({
                value: String(versao),
                label: `Versão ${versao} · ${plural(assinaturas, 'assinatura', 'assinaturas')}`,
              }))}
            />
          )}
          {versoes.length > 1 && (
            <NativeSelect
              label="Comparar com"
              value={String(before?.versao ?? '')}
              onChange={({ currentTarget }) => setOther(Number(currentTarget.value) || null)}
              data={[
                { value: '', label: 'Nenhuma' },
                ...versoes
                  .filter(({ versao }) => versao !== shown.versao)
                  .map(({ versao }) => ({ value: String(versao), label: `Versão ${versao}` })),
              ]}
            />
          )}
          {before ? (
            <Suspense fallback={<Skeletons count={1} height={320} />}>
              <VersionComparison before={before} after={shown} />
            </Suspense>
          ) : (
            <div className={classes.sheetOfPaper} tabIndex={0} role="region" aria-label="Texto do contrato">
              <ContractText html={marked(shown.conteudo)} />
            </div>
          )}
        </div>
      </Card>
    </Section>
  );
}

function Requests({ id }: { id: string }) {
  return (
    <Section title="Assinaturas">
      <InfiniteList
        of={useRequests(id)}
        manual
        failure="Erro ao carregar contratos"
        skeleton={<Skeletons count={2} height={120} layout="cards" />}
        empty={
          <Card>
            <Notice icon="people" title="Ainda não foi enviado a ninguém" />
          </Card>
        }
      >
        {(requests) => (
          <CardList items={requests}>{(request) => <Request request={request} contractId={id} />}</CardList>
        )}
      </InfiniteList>
    </Section>
  );
}

function Request({ request, contractId }: { request: SignatureRequest; contractId: string }) {
  const zone = useZone();
  const remind = useRemindSigner();
  const revoke = useSendTo('DELETE /signature-requests/:id');
  const restore = useSendTo('POST /signature-requests/:id/restore');
  const send = useSendContract(contractId);
  const {
    id,
    student_id,
    student_nome,
    versao,
    estado,
    enviado_em,
    encerrado_em,
    lembrado_em,
    url,
    whatsapp,
    motivo,
    tem_email,
  } = request;
  const isOpen = isToSign(estado);
  const name = student_nome ?? 'Aluno apagado';
  const { word, tone } = states[estado];
  const copy = async () => {
    if (await copyText(url ?? '')) toast.success('Link copiado!');
    else toast.error('Não foi possível copiar');
  };
  const mail = () =>
    attempt(async () => {
      await remind.mutateAsync({ id, canal: 'email' });
      toast.success('Lembrete enviado por e-mail');
    }, 'Erro ao lembrar');
  const sendAgain = () =>
    attempt(async () => {
      await send.mutateAsync({ alunos: [student_id], canal: 'link', prazo_dias: LINK_DAYS });
      toast.success('Contrato enviado de novo', { description: 'Passe o novo link ao responsável.' });
    }, 'Erro ao enviar contrato');
  const takeBack = () =>
    attempt(async () => {
      await revoke.mutateAsync(id);
      toast.success(
        'Link cancelado',
        takenBack(() => restore.mutateAsync(id), 'Cancelamento desfeito'),
      );
    }, 'Erro ao cancelar o link');
  return (
    <ItemCard
      title={name}
      subtitle={`Versão ${versao}`}
      tags={<Tag tone={tone}>{word}</Tag>}
      actions={
        <div className={classes.buttons}>
          <Button
            component={Link}
            to={`/ajustes/contratos-termos/assinaturas/${id}`}
            size="sm"
            variant="default"
            aria-label={`Ver o contrato de ${name}`}
          >
            Ver
          </Button>
          {estado === 'sem_responsavel' && (
            <Button size="sm" loading={send.isPending} onClick={() => void sendAgain()}>
              Enviar ao responsável
            </Button>
          )}
          {whatsapp && (
            <Button
              component="a"
              href={whatsapp}
              target="_blank"
              rel="noopener noreferrer"
              size="sm"
              aria-label={`Enviar WhatsApp a ${name}`}
              // Records in the history that the reminder was opened; whether it was sent cannot be known.
              onClick={onceOpened(() => remind.mutate({ id, canal: 'link' }))}
            >
              WhatsApp
            </Button>
          )}
          {url && (
            <>
              <Button
                size="sm"
                variant="default"
                onClick={() => void copy()}
                aria-label={`Copiar link de ${name}`}
              >
                Copiar link
              </Button>
              {tem_email && (
                <Button size="sm" variant="default" loading={remind.isPending} onClick={() => void mail()}>
                  Lembrar por e-mail
                </Button>
              )}
              <Button size="sm" variant="subtle" loading={revoke.isPending} onClick={() => void takeBack()}>
                Cancelar link
              </Button>
            </>
          )}
        </div>
      }
    >
      <div className={classes.facts}>
        Enviado {formatMoment(enviado_em, zone)}
        {lembrado_em && ` · lembrete ${formatMoment(lembrado_em, zone)}`}
        {(isOpen || estado === 'expirado') &&
          ` · ${isOpen ? 'expira' : 'expirou'} ${formatMoment(request.expires_at, zone)}`}
        {encerrado_em && ` · ${word.toLowerCase()} ${formatMoment(encerrado_em, zone)}`}
      </div>
      {motivo && <div className={classes.facts}>Motivo: {motivo}</div>}
    </ItemCard>
  );
}
