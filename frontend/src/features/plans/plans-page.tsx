import { periods, planChanges, type Plan } from '../../../../backend/modules/plans/plans.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import type { MaybePending } from '../../lib/pending-over-server.js';
import { ItemCard } from '../../ui/card.js';
import { Money } from '../../ui/money.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { RecordActions, RecordsPage } from '../../ui/records-page.js';
import { Tag } from '../../ui/tag.js';
import { PlanForm } from './plan-form.js';
import classes from './plans.module.css';
import { plans } from './plans.queries.js';

export default function PlansPage() {
  return (
    <RecordsPage
      of={plans}
      icon="box"
      height={150}
      empty={{
        title: 'Seus planos vão aparecer aqui',
        action: 'Criar o primeiro plano',
        text: 'Cada plano tem um preço e os créditos que o aluno recebe ao renovar.',
      }}
      card={(plan, onEdit) => <PlanCard plan={plan} onEdit={onEdit} />}
      form={(plan, props) => <PlanForm schema={planChanges} plan={plan} {...props} />}
    />
  );
}

/** Value per credit; 0 when the plan grants none. Spec 2, section 3. */
const perCredit = ({ valor, creditos }: Plan): number => (creditos === 0 ? 0 : Math.round(valor / creditos));

function PlanCard({ plan, onEdit }: { plan: Plan & MaybePending; onEdit: () => void }) {
  return (
    <ItemCard
      title={plan.nome}
      tags={
        <>
          {plan.tipo !== 'pacote' && <Tag tone="accent">{periods[plan.tipo].nome}</Tag>}
          {!plan.is_active && <Tag icon="archive">Inativo</Tag>}
        </>
      }
      actions={<RecordActions of={plans} item={plan} onEdit={onEdit} />}
    >
      <div className={classes.price}>
        <Money cents={plan.valor} />
      </div>
      <div className={classes.facts}>
        {plural(plan.creditos, 'crédito', 'créditos')} · <Money cents={perCredit(plan)} /> por crédito
      </div>
      {plan.validade_dias && (
        <div className={classes.facts}>Validade de {plural(plan.validade_dias, 'dia', 'dias')}</div>
      )}
      {plan.descricao && <div className={classes.facts}>{plan.descricao}</div>}
      {plan.pendente && <PendingMark ownLine />}
    </ItemCard>
  );
}
