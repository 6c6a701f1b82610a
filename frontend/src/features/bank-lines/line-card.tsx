import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type {
  BankLine,
  Candidate,
  Certainty,
  ComparedLine,
  Likeness,
  LineTwins,
} from '../../../../backend/modules/bank-lines/bank-lines.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend } from '../../lib/command.js';
import { formatDate } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { Tag, type Tone } from '../../ui/tag.js';
import { attempt, orAnyway, takenBack, toast } from '../../ui/toast.js';
import classes from './bank-lines.module.css';
import type { ShownLine } from './bank-lines.queries.js';
import { EntryForm } from './entry-form.js';
import { SplitForm } from './split-form.js';

const certainties: Record<Certainty, [tone: Tone, words: string]> = {
  alta: ['good', 'Quase certo'],
  media: ['warn', 'Provável'],
  baixa: ['neutral', 'Possível'],
};

const reasons: Record<Likeness, string> = {
  valor: 'mesmo valor',
  parte_do_valor: 'parte do valor',
  nome: 'nome confere',
  primeiro_nome: 'primeiro nome confere',
  data: 'perto do vencimento',
};

/** A line of the statement, with suggestions and actions. Nothing is recorded without a tap. */
export function LineCard({ item }: { item: ShownLine }) {
  const { line, candidatas, parecida, devolucao } = item;
  // Shown at once, until the next comparison includes it.
  const [done, setDone] = useState<'registrada' | 'fora' | null>(null);
  const [form, setForm] = useState<'entry' | 'split' | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [isOther, setIsOther] = useState(false);
  const twins = { iguais: line.iguais, ...(isOther && { mesmo_assim: true }) };
  const situacao = done ?? item.situacao;
  const offers = situacao === 'nova' && (isOther || !item.repetida);
  const recording = {
    line,
    twins,
    onBack: () => setForm(null),
    onDone: () => setDone('registrada'),
    onUndone: () => setDone(null),
  };
  const shown = showsAll ? candidatas : candidatas.slice(0, 1);
  return (
    <Card className={classes.line}>
      <div className={classes.head}>
        <div className={classes.words}>
          <div className={classes.title}>{line.texto || 'Sem descrição'}</div>
          <div className={classes.quiet}>{formatDate(line.data)}</div>
        </div>
        <Money cents={line.valor} signed className={classes.amount} />
      </div>
      {situacao === 'registrada' && (
        <Tag tone="good" icon="check">
          Registrada
        </Tag>
      )}
      {situacao === 'fora' && <Left item={item} onReopened={() => setDone(null)} />}
      {situacao === 'nova' && item.repetida && !isOther && (
        <>
          <p className={classes.alike}>
            Uma linha deste dia e valor já foi registrada, talvez de outro arquivo do banco. Registre esta só
            se for outro lançamento.
          </p>
          <div className={classes.actions}>
            <Button size="sm" variant="default" onClick={() => setIsOther(true)}>
              É outro lançamento
            </Button>
            <LeaveButton item={item} onLeft={() => setDone('fora')} onUndone={() => setDone(null)} />
          </div>
        </>
      )}
      {offers && form === 'split' && <SplitForm {...recording} />}
      {offers && form === 'entry' && <EntryForm {...recording} student={item.aluno} />}
      {offers && form === null && (
        <>
          {parecida && (
            <p className={classes.alike}>
              Já há um lançamento deste valor em {formatDate(parecida.data)}
              {parecida.descricao ? `: ${parecida.descricao}` : ''}. Confira antes de registrar de novo.
            </p>
          )}
          {devolucao && <RefundProposal refund={devolucao} {...recording} />}
          {shown.map((candidate) => (
            <Proposal
              key={candidate.charge_id}
              candidate={candidate}
              item={item}
              twins={twins}
              onSettled={() => setDone('registrada')}
              onUndone={() => setDone(null)}
            />
          ))}
          {!showsAll && candidatas.length > 1 && (
            <Button size="sm" variant="subtle" onClick={() => setShowsAll(true)}>
              {`Ver mais ${plural(candidatas.length - 1, 'cobrança parecida', 'cobranças parecidas')}`}
            </Button>
          )}
          <div className={classes.actions}>
            <Button size="sm" variant="default" onClick={() => setForm('entry')}>
              {line.valor > 0 ? 'Registrar como receita' : 'Registrar despesa'}
            </Button>
            {line.valor > 0 && (
              <Button size="sm" variant="default" onClick={() => setForm('split')}>
                Dividir
              </Button>
            )}
            <LeaveButton item={item} onLeft={() => setDone('fora')} onUndone={() => setDone(null)} />
          </div>
        </>
      )}
    </Card>
  );
}

const FAILURE = 'Erro ao dar baixa na cobrança';

interface ProposalProps {
  candidate: Candidate;
  item: ShownLine;
  twins: LineTwins;
  onSettled: () => void;
  onUndone: () => void;
}

function Proposal({ candidate, item: { line }, twins, onSettled, onUndone }: ProposalProps) {
  const today = useToday();
  const settle = useSend('POST /bank-lines/settle');
  const undo = useSend('POST /bank-lines/undo-payments');
  const { charge_id, student_nome, descricao, falta, vencimento, certeza, porque } = candidate;
  const [tone, words] = certainties[certeza];
  const { chave, data, valor } = line;
  const record = async (anyway: boolean) => {
    const { quitada, creditos } = await settle.mutateAsync({
      chave,
      data,
      valor,
      charge_id,
      ...(anyway ? { ...twins, mesmo_assim: true } : twins),
    });
    onSettled();
    toast.success(quitada ? 'Cobrança paga' : 'Pagamento registrado', {
      description:
        creditos > 0
          ? `${formatMoney(valor)} recebidos e ${plural(creditos, 'crédito adicionado', 'créditos adicionados')}.`
          : `${formatMoney(valor)} recebidos.`,
      ...takenBack(async () => {
        await undo.mutateAsync({ chave });
        onUndone();
      }, 'Pagamento desfeito'),
    });
  };
  const save = () => attempt(() => orAnyway(record, { ...PIX_TOLD, failure: FAILURE }), FAILURE);
  return (
    <div className={classes.proposal}>
      <div className={classes.words}>
        <Tag tone={tone}>{words}</Tag>
        <Link to={`/cobrancas?cobranca=${charge_id}`} className={classes.charge}>
          {student_nome ?? 'Aluno apagado'}
          {descricao ? ` · ${descricao}` : ''}
        </Link>
        <div className={classes.quiet}>
          {`${vencimento < today ? 'venceu' : 'vence'} em ${formatDate(vencimento)}, faltam ${formatMoney(falta)} (${porque.map((one) => reasons[one]).join(', ')})`}
        </div>
      </div>
      <Button
        size="sm"
        variant={certeza === 'alta' ? 'filled' : 'light'}
        loading={settle.isPending}
        onClick={() => void save()}
        aria-label={`Dar baixa: ${student_nome ?? 'cobrança'}, ${formatMoney(valor)}`}
      >
        Dar baixa
      </Button>
    </div>
  );
}

interface RefundProposalProps {
  refund: NonNullable<ComparedLine['devolucao']>;
  line: BankLine;
  twins: LineTwins;
  onDone: () => void;
  onUndone: () => void;
}

/** A recorded refund, which the line is: it is not an expense as well. */
function RefundProposal({ refund, line, twins, onDone, onUndone }: RefundProposalProps) {
  const take = useSend('POST /bank-lines/refund');
  const reopen = useSend('POST /bank-lines/reopen');
  const { chave, data, valor } = line;
  const { id, student_nome, descricao, dia } = refund;
  const save = () =>
    attempt(async () => {
      await take.mutateAsync({ chave, data, valor, transaction_id: id, ...twins });
      onDone();
      toast.success(
        'Devolução reconhecida',
        takenBack(async () => {
          await reopen.mutateAsync({ chave });
          onUndone();
        }, 'Linha de volta na lista'),
      );
    }, 'Erro ao reconhecer a devolução');
  return (
    <div className={classes.proposal}>
      <div className={classes.words}>
        <Tag tone="warn">Provável</Tag>
        <div>{`Devolução${student_nome ? ` a ${student_nome}` : ''}${descricao ? ` · ${descricao}` : ''}`}</div>
        <div className={classes.quiet}>{`já registrada em ${formatDate(dia)}: não é uma despesa a mais`}</div>
      </div>
      <Button size="sm" variant="light" loading={take.isPending} onClick={() => void save()}>
        É esta devolução
      </Button>
    </div>
  );
}

interface LeaveButtonProps {
  item: ShownLine;
  onLeft: () => void;
  onUndone: () => void;
}

function LeaveButton({ item: { line }, onLeft, onUndone }: LeaveButtonProps) {
  const leave = useSend('POST /bank-lines/leave');
  const reopen = useSend('POST /bank-lines/reopen');
  const { chave, data, valor } = line;
  const send = () =>
    attempt(async () => {
      await leave.mutateAsync({ chave, data, valor });
      onLeft();
      toast.success(
        'Linha ignorada',
        takenBack(async () => {
          await reopen.mutateAsync({ chave });
          onUndone();
        }, 'Linha de volta na lista'),
      );
    }, 'Erro ao ignorar a linha');
  return (
    <Button size="sm" variant="subtle" color="gray" loading={leave.isPending} onClick={() => void send()}>
      Ignorar
    </Button>
  );
}

function Left({ item: { line }, onReopened }: { item: ShownLine; onReopened: () => void }) {
  const reopen = useSend('POST /bank-lines/reopen');
  const send = () =>
    attempt(async () => {
      await reopen.mutateAsync({ chave: line.chave });
      onReopened();
    }, 'Erro ao considerar a linha de novo');
  return (
    <div className={classes.actions}>
      <Tag>Ignorada</Tag>
      <Button size="sm" variant="subtle" loading={reopen.isPending} onClick={() => void send()}>
        Não ignorar
      </Button>
    </div>
  );
}
