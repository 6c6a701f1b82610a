import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import { useState } from 'react';
import type { BankLine, LineTwins } from '../../../../backend/modules/bank-lines/bank-lines.api.js';
import { owedOn } from '../../../../backend/modules/charges/charge-terms.api.js';
import type { Charge } from '../../../../backend/modules/charges/charges.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { useSend } from '../../lib/command.js';
import { formatDate } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import { attempt, orAnyway, takenBack, toast } from '../../ui/toast.js';
import classes from './bank-lines.module.css';
import { useOpenCharges } from './bank-lines.queries.js';

const FAILURE = 'Erro ao dividir a linha';

interface SplitFormProps {
  line: BankLine;
  twins: LineTwins;
  onBack: () => void;
  onDone: () => void;
  onUndone: () => void;
}

/** The part for each chosen charge, in the order of choosing: what settles it on the line's day, or, for the last one, the rest. */
function partsOf(chosen: readonly Charge[], { valor, data }: BankLine) {
  let left = valor;
  return chosen.flatMap((charge) => {
    const { total } = owedOn(charge, data);
    const part = left >= total ? total : Math.min(charge.falta, left);
    left -= part;
    return part > 0 ? [{ charge_id: charge.id, valor: part }] : [];
  });
}

/** Splits a line over several charges, for example of a family that pays together. */
export function SplitForm({ line, twins, onBack, onDone, onUndone }: SplitFormProps) {
  const { chave, data, valor } = line;
  const charges = useOpenCharges();
  const split = useSend('POST /bank-lines/split');
  const undo = useSend('POST /bank-lines/undo-payments');
  const [chosen, setChosen] = useState<Charge[]>([]);
  const partes = partsOf(chosen, line);
  const covered = partes.reduce((sum, part) => sum + part.valor, 0);
  const toggle = (charge: Charge) =>
    setChosen((before) =>
      before.some(({ id }) => id === charge.id)
        ? before.filter(({ id }) => id !== charge.id)
        : [...before, charge],
    );
  const record = async (anyway: boolean) => {
    await split.mutateAsync({
      chave,
      data,
      valor,
      partes,
      ...(anyway ? { ...twins, mesmo_assim: true } : twins),
    });
    onDone();
    toast.success('Pagamentos registrados', {
      description: `${formatMoney(valor)} divididos entre ${plural(partes.length, 'cobrança', 'cobranças')}.`,
      ...takenBack(async () => {
        await undo.mutateAsync({ chave });
        onUndone();
      }, 'Pagamentos desfeitos'),
    });
  };
  const save = () => attempt(() => orAnyway(record, { ...PIX_TOLD, failure: FAILURE }), FAILURE);
  return (
    <div className={classes.lines}>
      <InfiniteList
        of={charges}
        failure="Erro ao carregar cobranças"
        manual
        empty={<Notice icon="wallet" title="Nenhuma cobrança em aberto" />}
      >
        {(items) =>
          items.map((charge) => (
            <Checkbox
              key={charge.id}
              checked={chosen.some(({ id }) => id === charge.id)}
              onChange={() => toggle(charge)}
              label={`${charge.student_nome ?? 'Aluno apagado'}${charge.descricao ? ` · ${charge.descricao}` : ''}`}
              description={`${formatMoney(owedOn(charge, data).total)}, vencimento em ${formatDate(charge.vencimento)}`}
            />
          ))
        }
      </InfiniteList>
      <Quiet size="xs" role="status">
        {`${formatMoney(covered)} de ${formatMoney(valor)} distribuídos`}
      </Quiet>
      <Button
        disabled={partes.length < 2 || covered < valor}
        loading={split.isPending}
        onClick={() => void save()}
      >
        Registrar pagamentos
      </Button>
      <Button variant="subtle" color="gray" onClick={onBack}>
        Voltar
      </Button>
    </div>
  );
}
