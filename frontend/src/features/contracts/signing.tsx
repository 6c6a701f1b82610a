import { useNetwork } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import {
  type Signable,
  type RequestState,
  consentsOf,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { fill, withoutCpf } from '../../../../backend/modules/contracts/merge-fields.api.js';
import { closings, type ClosedState } from '../../../../backend/modules/contracts/closed-requests.api.js';
import { formatMoment, formatDate, todayIn } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Why } from '../../parts/why.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import { Tag } from '../../ui/tag.js';
import type { IconName } from '../../ui/icon.js';
import { ContractText } from './contract-text.js';
import { useSigning, type Reader } from './contracts.queries.js';
import classes from './contracts.module.css';
import { SignForm } from './sign-form.js';
import { SignedCopy, PdfButton } from './signed-copy.js';
import { ownState } from './words.js';
import { Button } from '@mantine/core';
import { guardianRole } from '../../../../backend/modules/contracts/age.api.js';
import { formatCpf } from '../../../../backend/modules/students/cpf.api.js';
import { Card } from '../../ui/card.js';
import { Facts } from '../../ui/facts.js';
import { attempt, toast } from '../../ui/toast.js';
import { Folded } from '../../ui/folded.js';
import { formatPhone } from '../../../../backend/modules/students/phone-format.api.js';

/** An instant with its time zone: `26/11/2026, 7:05:09 GMT-3`. */
const exactMoment = (instant: string): string =>
  new Date(instant).toLocaleString('pt-BR', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'shortOffset',
  });

interface SignedProofProps {
  contract: Signable;
  reader: Reader;
}

/** Who signed, when and from where, and how to verify it. */
function SignedProof({ contract: { prova, versao, estado }, reader }: SignedProofProps) {
  const { mutateAsync, isPending } = useSigning(reader);
  const zone = useZone();
  const [isAsking, setAsking] = useState(false);
  if (!prova) return null;
  const withdraw = () =>
    attempt(async () => {
      await mutateAsync({ to: 'withdraw' });
      toast.success('Desistência registrada', {
        description: 'Seu personal vê a desistência no histórico do contrato.',
      });
    }, 'Erro ao desistir do contrato');
  const guardian = prova.responsavel?.nome;
  const isBeside = guardianRole(prova.nascimento, todayIn(zone, new Date(prova.assinado_em))) === 'assiste';
  const evidence = (
    <>
      <Facts
        of={[
          [guardian && !isBeside ? 'Aluno' : 'Assinado por', prova.nome],
          ['CPF', prova.cpf && formatCpf(prova.cpf)],
          ['Telefone', prova.telefone && formatPhone(prova.telefone)],
          ['Nascimento', prova.nascimento && formatDate(prova.nascimento)],
          [
            isBeside ? 'Assinado também por' : 'Assinado por',
            guardian && `${guardian}, responsável (${prova.responsavel?.relacao})`,
          ],
          ['CPF do responsável', guardian && formatCpf(prova.responsavel?.cpf ?? '')],
          ['Código por e-mail', prova.codigo_confirmado_em && exactMoment(prova.codigo_confirmado_em)],
          ['Quando', exactMoment(prova.assinado_em)],
          ['Versão', versao],
          ['Endereço IP', prova.ip_address],
          ['Navegador', prova.navegador],
          ['SHA-256 do conteúdo', <span className={classes.mono}>{prova.conteudo_hash}</span>],
          ['Sal do SHA-256', prova.sal && <span className={classes.mono}>{prova.sal}</span>],
          [
            'Código de verificação',
            <a href={`/verificar/${prova.codigo}`} className={classes.mono}>
              {prova.codigo}
            </a>,
          ],
        ]}
      />
      <Declarations version={prova.consentimento} />
    </>
  );
  return (
    <Card>
      <div className={classes.stack}>
        {reader.as === 'student' ? <Folded title="Evidências da assinatura">{evidence}</Folded> : evidence}
        {(reader.as === 'trainer' || estado !== 'assinado') && <PdfButton prova={prova} reader={reader} />}
        {prova.desistir_ate && reader.as !== 'trainer' && (
          <>
            <Quiet size="sm">Você pode desistir até {exactMoment(prova.desistir_ate)} (CDC, art. 49).</Quiet>
            {isAsking ? (
              <>
                <p role="status">
                  A assinatura deixa de valer. Para voltar atrás, seu personal envia o contrato de novo e você
                  assina outra vez.
                </p>
                <Button color="red" loading={isPending} onClick={() => void withdraw()}>
                  Confirmar a desistência
                </Button>
                <Button variant="subtle" onClick={() => setAsking(false)}>
                  Voltar
                </Button>
              </>
            ) : (
              <Button variant="default" onClick={() => setAsking(true)}>
                Desistir do contrato
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}

/** The declarations that were agreed to, in the wording of their version. */
function Declarations({ version }: { version: string }) {
  const agreed = consentsOf(version);
  if (!agreed) return null;
  return (
    <Folded title={`Declarações aceitas (textos de ${formatDate(version)})`}>
      {[agreed.dados, agreed.termos, agreed.metodo].map((text) => (
        <Quiet size="sm" key={text}>
          {text}
        </Quiet>
      ))}
    </Folded>
  );
}

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
  const { online } = useNetwork();
  const zone = useZone();
  const isNew = estado === 'enviado' && reader.as !== 'trainer';

  useEffect(() => {
    if (isNew) mutate({ to: 'open' });
  }, [isNew, mutate]);

  const html = prova ? conteudo : /^[\d.-]{14}$/.test(cpf) ? fill(conteudo, { cpf }) : withoutCpf(conteudo);
  const { word, tone } = ownState(estado);
  const closed = unsignable(estado, reader.as === 'trainer');
  return (
    <div className={classes.stack}>
      <div>
        <Tag tone={tone}>{word}</Tag>
      </div>
      <Why of={`signature:${contract.id}`} isOwn={reader.as === 'student'} />
      {isOpen && (
        <Quiet size="sm">O prazo para assinar expira {formatMoment(contract.expires_at, zone)}.</Quiet>
      )}
      {prova && reader.as === 'student' && estado === 'assinado' && (
        <SignedCopy contract={contract} prova={prova} reader={reader} />
      )}
      {html && <Paper html={html} onEnd={() => setRead(true)} />}
      {prova && <SignedProof contract={contract} reader={reader} />}
      {isOpen && !online && (
        <Notice icon="offline" title="Sem internet">
          Você pode ler o texto. Para assinar, é preciso estar conectado.
        </Notice>
      )}
      {isOpen && reader.as !== 'trainer' && (
        <SignForm contract={contract} reader={reader} isRead={isRead} onCpf={setCpf} />
      )}
      {closed && (
        <Notice icon={closed.icon} title={closed.title}>
          {closed.way}
        </Notice>
      )}
    </div>
  );
}

/** The text; calls `onEnd` once its end was scrolled into view. */
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

type Unsignable = Exclude<ClosedState, 'assinado'>;

/** In the words for the trainer, who can send it again. */
const closedForTrainer: Readonly<Record<Unsignable, { title: string; way: string }>> = {
  expirado: {
    title: closings.expirado.title,
    way: 'Envie o contrato de novo para gerar outro link.',
  },
  cancelado: { title: closings.cancelado.title, way: 'Envie o contrato de novo para gerar outro link.' },
  substituido: { title: closings.substituido.title, way: 'O aluno assina pelo envio mais recente.' },
  inativo: { title: 'O contrato está inativo', way: 'Reative o contrato para o aluno poder assinar.' },
  sem_responsavel: {
    title: closings.sem_responsavel.title,
    way: 'Quem assinou tinha menos de 18 anos. Envie o contrato de novo para o responsável assinar.',
  },
  recusado: {
    title: 'O aluno recusou o contrato',
    way: 'Se combinarem outra coisa, envie o contrato de novo.',
  },
  desistido: {
    title: 'O aluno desistiu do contrato',
    way: 'A assinatura deixou de valer. Para o aluno assinar outra vez, envie o contrato de novo.',
  },
};

const icons: Readonly<Record<Unsignable, IconName>> = {
  expirado: 'clock',
  cancelado: 'close',
  substituido: 'link',
  inativo: 'archive',
  sem_responsavel: 'alert',
  recusado: 'close',
  desistido: 'alert',
};

const isUnsignable = (estado: RequestState): estado is Unsignable => estado in icons;

/** Why a contract cannot be signed, and what can be done; null for one that is signed or can be. */
function unsignable(
  estado: RequestState,
  isTrainer: boolean,
): { title: string; way: string; icon: IconName } | null {
  if (!isUnsignable(estado)) return null;
  const { title, way } = (isTrainer ? closedForTrainer : closings)[estado];
  return { title, way, icon: icons[estado] };
}
