"""From a route to an answer: plan, execution, evidence, gate, workflows."""
