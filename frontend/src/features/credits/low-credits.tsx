import { lazy, Suspense, useState } from 'react';
import { plural } from '../../../../backend/platform/plural.api.js';
import type { LowCredits } from '../../../../backend/modules/credits/credits.api.js';
import { whenReachable } from '../../lib/chunks.js';
import { formatDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ListChip } from '../../ui/chip.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Tag } from '../../ui/tag.js';
import { TapButton } from '../../ui/tap-button.js';
import classes from './credits.module.css';
import { type Renewal, useLowCredits } from './credits.queries.js';
import { PendingCredits } from './pending-credits.js';

const RenewSheet = lazy(() => whenReachable(() => import('./renew-sheet.js')));

/** Students to renew: with few credits, or credits that expire soon. */
export function LowCreditsChip() {
  const low = useLowCredits();
  const [renewal, setRenewal] = useState<Renewal | null>();
  const { items = [], next = null } = low.data?.pages[0] ?? {};
  const without = items.filter(({ creditos }) => creditos === 0).length;
  return (
    <>
      <ListChip
        figure={without > 0 ? `${without}${next ? '+' : ''}` : items.length > 0 ? String(items.length) : null}
        word={without > 0 ? 'sem crédito' : 'a renovar'}
        title="Créditos acabando"
      >
        {without > 0 && without < items.length && (
          <Quiet size="xs">
            {without} sem crédito e {`${items.length - without}${next ? '+' : ''}`} com poucos ou a vencer.
          </Quiet>
        )}
        <Card flush>
          <InfiniteList
            of={low}
            manual
            empty={
              <Notice icon="coins" title="Ninguém para renovar">
                Saldos baixos e créditos perto do vencimento aparecem aqui.
              </Notice>
            }
          >
            {(items) =>
              items.map((student) => <Low key={student.id} student={student} onRenew={setRenewal} />)
            }
          </InfiniteList>
        </Card>
      </ListChip>
      {renewal !== undefined && (
        <Suspense fallback={null}>
          <RenewSheet renewal={renewal} onClose={() => setRenewal(null)} />
        </Suspense>
      )}
    </>
  );
}

interface LowProps {
  student: LowCredits;
  onRenew: (renewal: Renewal) => void;
}

function Low({ student, onRenew }: LowProps) {
  const { id, nome, creditos, a_vencer, vence_em, plano } = student;
  const today = useToday();
  return (
    <Row
      to={`/alunos/${id}`}
      title={nome}
      facts={
        <span className={classes.low}>
          <Tag tone={creditos === 0 ? 'bad' : 'warn'}>
            {creditos === 0 ? 'Sem créditos' : plural(creditos, 'crédito', 'créditos')}
          </Tag>
          {vence_em ? `${plural(a_vencer, 'vence', 'vencem')} ${formatDay(vence_em, today)}` : plano?.nome}
          <PendingCredits studentId={id} />
        </span>
      }
      actions={
        plano &&
        plano.creditos > 0 && (
          <TapButton
            icon="renew"
            label={`Renovar plano de ${nome}`}
            onTap={() => onRenew({ studentId: id, studentName: nome, plan: plano })}
          >
            Renovar
          </TapButton>
        )
      }
    />
  );
}
