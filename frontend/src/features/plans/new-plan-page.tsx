import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { newPlan, type NewPlan } from '../../../../backend/modules/plans/plans.api.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { PlanForm } from './plan-form.js';
import { useCreatePlan } from './plans.queries.js';

export default function NewPlanPage() {
  const navigate = useNavigate();
  const { mutateAsync } = useCreatePlan();

  const create = async (body: NewPlan) => {
    await mutateAsync(body);
    toast.success('Plano criado');
    await navigate('/planos');
  };

  return (
    <Page title="Novo Plano" back="/planos" width="narrow">
      <Card>
        <PlanForm
          schema={newPlan}
          submitLabel="Cadastrar Plano"
          failure="Erro ao criar plano"
          save={create}
          beside={
            <Button component={Link} to="/planos" variant="default">
              Cancelar
            </Button>
          }
        />
      </Card>
    </Page>
  );
}
