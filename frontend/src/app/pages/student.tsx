import type { KnownStudent, ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { StudentSessions } from '../../features/agenda/student-sessions.js';
import { History } from '../../features/audit/history.js';
import { MonthlyPlan, NotAgreed } from '../../features/charges/monthly-plan.js';
import { StudentCharges } from '../../features/charges/student-charges.js';
import { StudentContracts } from '../../features/contracts/student-contracts.js';
import { BalanceSteps } from '../../features/credits/balance-steps.js';
import { CreditAccount } from '../../features/credits/credit-account.js';
import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { Statement } from '../../features/credits/statement.js';
import { useMonthlyPrice, usePlanChoices } from '../../features/plans/plans.queries.js';
import { StudentPayments } from '../../features/receipts/student-payments.js';
import { StudentField } from '../../features/students/student-field.js';
import { StudentPage } from '../../features/students/student-page.js';
import { Section } from '../../ui/page.js';

/** The button that renews the student's plan, if that is possible now; filled where there are no credits left. */
const renewalOf = ({ id, nome, plano, creditos, arquivado, esquecido }: ListedStudent) =>
  plano && plano.creditos > 0 && !arquivado && !esquecido ? (
    <RenewButton
      renewal={{ studentId: id, studentName: nome, plan: plano }}
      variant={creditos <= 0 ? 'filled' : 'default'}
    />
  ) : null;

export default function Student() {
  return (
    <StudentPage
      pending={(id) => <PendingCredits studentId={id} />}
      renew={renewalOf}
      notAgreed={(student) => <NotBilled student={student} />}
      tabs={{
        sessoes: ({ id }) => <StudentSessions studentId={id} />,
        extrato: (student) => <Credits student={student} />,
        pagamentos: (student) => <Payments student={student} />,
        contratos: ({ id, arquivado, esquecido }) => (
          <StudentContracts studentId={id} closed={arquivado || esquecido} />
        ),
        historico: ({ id }) => (
          <Section title="Histórico">
            <History kind="student" id={id} />
          </Section>
        ),
      }}
    />
  );
}

function Credits({ student }: { student: ListedStudent }) {
  const { id, esquecido } = student;
  return (
    <>
      <CreditAccount
        studentId={id}
        closed={esquecido}
        StudentField={StudentField}
        renew={renewalOf(student)}
      />
      <BalanceSteps studentId={id} />
      <Statement studentId={id} />
    </>
  );
}

/** The plans that can be agreed on, with the student's own even if it is no longer offered. */
const useMonthlyPlans = (own: string | null) =>
  usePlanChoices().data?.items.filter(
    ({ id, is_active, tipo }) => (is_active || id === own) && tipo === 'mensal',
  );

/** Students from before agreements came with their plans may have none. */
function NotBilled({
  student: { id, plano_id, mensalidade, arquivado, esquecido },
}: {
  student: KnownStudent;
}) {
  const plans = useMonthlyPlans(plano_id);
  const isBilled = useMonthlyPrice()(plano_id) === null || mensalidade !== null;
  if (isBilled || arquivado || esquecido) return null;
  return <NotAgreed studentId={id} planId={plano_id} plans={plans} />;
}

function Payments({ student: { id, plano, arquivado, esquecido } }: { student: ListedStudent }) {
  const planId = plano?.id ?? null;
  const plans = useMonthlyPlans(planId);
  const closed = arquivado || esquecido;
  return (
    <>
      <StudentCharges studentId={id} planId={planId} closed={closed} />
      <StudentPayments studentId={id} />
      {!closed && <MonthlyPlan studentId={id} planId={planId} plans={plans} />}
    </>
  );
}
