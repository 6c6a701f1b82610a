import type { ComponentPropsWithoutRef, ReactNode } from 'react';
import classes from './card.module.css';

type CardProps = ComponentPropsWithoutRef<'div'> & {
  /** Rows inside go to the edges, with a thin line between them. */
  flush?: boolean;
  /** What is inside stands in a column, as the fields of a form do. */
  fields?: boolean;
};

export function Card({ flush = false, fields = false, className, ...props }: CardProps) {
  const given = { 'data-flush': flush || undefined, 'data-fields': fields || undefined, ...props };
  return <div className={`${classes.card} ${className ?? ''}`} {...given} />;
}

interface ItemCardProps {
  /** Before the name. */
  title: ReactNode;
  /** Below the name. */
  subtitle?: ReactNode;
  /** States at the right of the name. */
  tags?: ReactNode;
  children?: ReactNode;
  /** Buttons along the bottom. */
  actions: ReactNode;
}

/** One item of a list, with its facts and actions. */
export function ItemCard({ title, subtitle, tags, children, actions }: ItemCardProps) {
  return (
    <Card className={classes.item}>
      <div className={classes.head}>
        <div className={classes.titles}>
          <div className={classes.title}>{title}</div>
          {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
        </div>
        {tags}
      </div>
      {children}
      <div className={classes.actions}>{actions}</div>
    </Card>
  );
}

interface CardListProps<Item> {
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}

/** Cards side by side as far as there is room. */
export function CardList<Item extends { id: string }>({ items, children }: CardListProps<Item>) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </ul>
  );
}
