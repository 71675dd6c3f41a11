"""Sub-intents answered from the records themselves: catalogues read whole, not searched.

One module a sub-intent; `table.WORKFLOWS` says which serves which.
"""
