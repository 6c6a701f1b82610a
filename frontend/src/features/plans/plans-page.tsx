import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Plan } from '../../../../backend/modules/plans/plans.api.js';
import { AddLink } from '../../ui/add-link.js';
import { CardList, ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import { RestoreButton } from '../../ui/restore-button.js';
import { StandingChoice } from '../../ui/standing-choice.js';
import { Tag } from '../../ui/tag.js';
import { EditPlanSheet } from './edit-plan-sheet.js';
import classes from './plans.module.css';
import { usePlans } from './plans.queries.js';
import { usePlanActions } from './use-plan-actions.js';

export default function PlansPage() {
  const [edited, setEdited] = useState<Plan | null>(null);
  const [active, setActive] = useState(true);
  const plans = usePlans(active);
  const total = plans.data?.pages[0]?.total;

  return (
    <Page
      title="Planos"
      back="/ajustes"
      subtitle={total === undefined ? plans.isFetching && 'Carregando...' : countOf(total, active)}
      action={<AddLink to="/planos/novo" thing="plano" />}
    >
      <StandingChoice onChoose={setActive} />
      <InfiniteList
        of={plans}
        skeleton={<Skeletons count={3} height={150} layout="cards" />}
        empty={
          active ? (
            <Notice
              icon="box"
              title="Seus planos vão aparecer aqui"
              action={
                <Button component={Link} to="/planos/novo">
                  Criar o primeiro plano
                </Button>
              }
            >
              Um plano tem um preço e os créditos que o aluno recebe ao renovar.
            </Notice>
          ) : (
            <Notice icon="archive" title="Nenhum plano inativo" />
          )
        }
      >
        {(items) => (
          <CardList items={items}>
            {(plan) => <PlanCard plan={plan} onEdit={() => setEdited(plan)} />}
          </CardList>
        )}
      </InfiniteList>
      <EditPlanSheet plan={edited} onClose={() => setEdited(null)} />
    </Page>
  );
}

/** Value per credit; 0 when the plan grants none. Spec 2, section 3. */
const perCredit = ({ valor, creditos }: Plan): number => (creditos === 0 ? 0 : Math.round(valor / creditos));

function PlanCard({ plan, onEdit }: { plan: Plan; onEdit: () => void }) {
  const { archive, restore, remove, busy } = usePlanActions(plan);
  return (
    <ItemCard
      title={plan.nome}
      tags={
        <>
          {plan.tipo === 'mensal' && <Tag tone="accent">Mensal</Tag>}
          {!plan.is_active && <Tag icon="archive">Inativo</Tag>}
        </>
      }
      actions={
        <>
          <Button size="sm" variant="default" onClick={onEdit} leftSection={<Icon name="edit" size={18} />}>
            Editar
          </Button>
          {plan.is_active ? (
            <Button
              size="sm"
              variant="default"
              loading={busy}
              onClick={archive}
              leftSection={<Icon name="archive" size={18} />}
            >
              Inativar
            </Button>
          ) : (
            <RestoreButton size="sm" variant="light" loading={busy} onClick={restore} />
          )}
          <ActionIcon data-square aria-label={`Remover ${plan.nome}`} loading={busy} onClick={remove}>
            <Icon name="trash" size={18} />
          </ActionIcon>
        </>
      }
    >
      <div className={classes.price}>
        <Money cents={plan.valor} />
      </div>
      <div className={classes.facts}>
        {plural(plan.creditos, 'crédito', 'créditos')} · <Money cents={perCredit(plan)} /> por crédito
        {plan.validade_dias && ` · validade de ${plural(plan.validade_dias, 'dia', 'dias')}`}
      </div>
      {plan.descricao && <div className={classes.facts}>{plan.descricao}</div>}
    </ItemCard>
  );
}

function countOf(total: number, active: boolean): string {
  return active
    ? plural(total, 'plano cadastrado', 'planos cadastrados')
    : plural(total, 'plano inativo', 'planos inativos');
}
