"""How a juror is reached. One module a provider; none of them imports Prefect."""
