import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { RenewalState } from '../../../../backend/modules/charges/renewals.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { chargeAddress } from '../../lib/charge-address.js';
import { dayOf, dueDay, formatDay } from '../../lib/dates.js';
import { formatMoney } from '../../lib/money.js';
import { useRenewalState } from '../../lib/renewal-state.js';
import { useToday, useZone } from '../../lib/zone.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Card } from '../../ui/card.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './credits.module.css';
import { useUndoRenewal, useWaiveGrant } from './credits.queries.js';

interface WaitingGrantsProps {
  studentId: string;
  /** Without actions, for a forgotten student. */
  closed: boolean;
}

/** Renewals that were not paid, with what each waits for. */
export function WaitingGrants({ studentId, closed }: WaitingGrantsProps) {
  const waiting = useRenewalState(studentId).data?.esperando ?? [];
  return waiting.map((grant) => (
    <Waiting
      key={grant.lot_id}
      studentId={studentId}
      grant={grant}
      closed={closed}
      isNext={waiting.find((one) => one.plano_id === grant.plano_id && !one.cobranca) === grant}
    />
  ));
}

type Grant = RenewalState['esperando'][number];

interface WaitingProps extends WaitingGrantsProps {
  grant: Grant;
  /** The next payment or charge of its plan belongs to it. */
  isNext: boolean;
}

function Waiting({ studentId, grant, closed, isNext }: WaitingProps) {
  const [zone, today] = [useZone(), useToday()];
  const waive = useWaiveGrant(studentId);
  const undo = useUndoRenewal(studentId);
  const { lot_id, plano_id, quantidade, em, cobranca } = grant;
  const day = formatDay(dayOf(em, zone), today);

  const leave = () =>
    attempt(async () => {
      await waive.mutateAsync({ lot_id, dispensada: true });
      toast.success(
        'Renovação sem pagamento a receber',
        takenBack(() => waive.mutateAsync({ lot_id, dispensada: false }), 'A renovação aguarda pagamento'),
      );
    }, 'Erro ao dispensar o pagamento');
  const takeBack = () =>
    attempt(async () => {
      await undo.mutateAsync(lot_id);
      toast.success('Renovação desfeita', {
        description: `${plural(quantidade, 'crédito removido', 'créditos removidos')}.`,
      });
    }, 'Erro ao desfazer a renovação');

  return (
    <Card className={classes.renewal}>
      <p>
        <strong>
          {plural(quantidade, 'crédito', 'créditos')} de {day} sem pagamento
        </strong>
      </p>
      {cobranca ? (
        <Link className={classes.session} to={chargeAddress(cobranca.id)}>
          Aguarda o pagamento de {formatMoney(cobranca.falta)}, {dueDay(cobranca.vencimento, today)}
        </Link>
      ) : (
        isNext && (
          <p className={classes.hint}>A próxima cobrança ou pagamento deste plano é desta renovação.</p>
        )
      )}
      {!closed && (
        <div className={classes.actions}>
          {!cobranca && (
            <Button
              size="sm"
              variant="light"
              component={Link}
              to={`/cobrancas?novo=cobranca&aluno=${studentId}&plano=${plano_id}`}
            >
              Cobrar
            </Button>
          )}
          {!cobranca && (
            <Button size="sm" variant="default" loading={waive.isPending} onClick={() => void leave()}>
              Não vou cobrar
            </Button>
          )}
          <UndoButton
            size="sm"
            variant="default"
            what="Desfazer renovação"
            of={lot_id}
            price={(signal) =>
              read('GET /students/:id/credits/grants/:lot/undo/preview', { of: [studentId, lot_id], signal })
            }
            onUndo={takeBack}
          />
        </div>
      )}
    </Card>
  );
}
