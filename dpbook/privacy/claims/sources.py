"""The literature that the privacy claims come from."""

from dpbook import Source

GIL = Source(
    "Gil, Alajaji, Linder: Renyi divergence measures for commonly used univariate continuous "
    "distributions",
    version="Information Sciences 249, 2013",
)
BALLE_WANG = Source(
    "Balle, Wang: Improving the Gaussian Mechanism for Differential Privacy",
    version="ICML 2018, arXiv 1805.06530v2",
)
WAINWRIGHT = Source(
    "Wainwright: High-Dimensional Statistics", version="Cambridge University Press, 2019"
)
MIRONOV = Source("Mironov: Renyi Differential Privacy", version="CSF 2017, arXiv 1702.07476v3")
BUN_STEINKE = Source(
    "Bun, Steinke: Concentrated Differential Privacy", version="TCC 2016, arXiv 1605.02065v1"
)
CANONNE = Source(
    "Canonne, Kamath, Steinke: The Discrete Gaussian for Differential Privacy",
    version="NeurIPS 2020, arXiv 2004.00010",
)
DWORK_ROTH = Source(
    "Dwork, Roth: The Algorithmic Foundations of Differential Privacy",
    version="Foundations and Trends in Theoretical Computer Science 9, 2014",
)
LYU_SU_LI = Source(
    "Lyu, Su, Li: Understanding the Sparse Vector Technique for Differential Privacy",
    version="PVLDB 10(6), 2017",
)
DONG = Source(
    "Dong, Roth, Su: Gaussian Differential Privacy", version="JRSS B 84, 2022, arXiv 1905.02383"
)
AMPLIFICATION = Source(
    "Balle, Barthe, Gaboardi: Privacy Amplification by Subsampling",
    version="NeurIPS 2018, arXiv 1807.01647",
)
MCSHERRY = Source("McSherry: Privacy Integrated Queries", version="SIGMOD 2009")
TSYBAKOV = Source("Tsybakov: Introduction to Nonparametric Estimation", version="Springer, 2009")
DONG_DURFEE = Source(
    "Dong, Durfee, Rogers: Optimal Differential Privacy Composition for Exponential Mechanisms",
    version="ICML 2020, arXiv 1909.13830",
)
GHOSH = Source(
    "Ghosh, Roughgarden, Sundararajan: Universally Utility-Maximizing Privacy Mechanisms",
    version="SIAM Journal on Computing 41, 2012",
)
DWORK_LEI = Source("Dwork, Lei: Differential Privacy and Robust Statistics", version="STOC 2009")
SMOOTH = Source(
    "Nissim, Raskhodnikova, Smith: Smooth Sensitivity and Sampling in Private Data Analysis",
    version="STOC 2007",
)
DING = Source(
    "Ding, Kifer, Saghaian, Steinke, Wang, Xiao, Zhang: The Permute-and-Flip Mechanism Is Identical "
    "to Report-Noisy-Max with Exponential Noise",
    version="arXiv 2105.07260",
)
ZHU = Source(
    "Zhu, Dong, Wang: Optimal Accounting of Differential Privacy via Characteristic Function",
    version="AISTATS 2022, arXiv 2106.08567",
)
HERE = Source("derived in this book")
